<?php

declare(strict_types=1);

namespace Florin;

use Florin\Internal\Bodies;
use Florin\Internal\Call;
use Florin\Internal\Options;
use Florin\Internal\Requester;
use Florin\Model\Link;

/**
 * Links that several payers can pay.
 *
 * @phpstan-import-type CreateLinkParams from Params
 * @phpstan-import-type LinkListParams from Params
 * @phpstan-import-type UpdateLinkParams from Params
 */
final class Links
{
    /** @internal */
    public function __construct(private readonly Requester $api)
    {
    }

    /**
     * Creates a link. Sends an idempotency key, so retries create one link.
     *
     * @param CreateLinkParams $params
     */
    public function create(
        array $params,
        ?string $idempotencyKey = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Link {
        $options = new Options($idempotencyKey, $timeout, $maxRetries);
        $call = new Call('POST', '/merchant/links', body: Bodies::createLink($params), isIdempotent: true);
        return $this->api->json($call, $options, Link::fromArray(...));
    }

    /** Returns a link, how many times it was paid, and the total. */
    public function retrieve(
        string $linkId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Link {
        $options = new Options(null, $timeout, $maxRetries);
        $call = new Call('GET', Bodies::linkPath($linkId));
        return $this->api->json($call, $options, Link::fromArray(...));
    }

    /**
     * Changes the given fields. `['active' => false]` pauses the link.
     *
     * @param UpdateLinkParams $params
     */
    public function update(
        string $linkId,
        array $params,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Link {
        $options = new Options(null, $timeout, $maxRetries);
        $call = new Call('PATCH', Bodies::linkPath($linkId), body: Bodies::text($params));
        return $this->api->json($call, $options, Link::fromArray(...));
    }

    /**
     * Lists links, newest first.
     *
     * @param LinkListParams $params
     * @return Listing<Link>
     */
    public function list(
        array $params = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Listing {
        $options = new Options(null, $timeout, $maxRetries);
        if (isset($params['active'])) {
            $params['active'] = $params['active'] ? 'true' : 'false';
        }
        $convert = Link::fromArray(...);
        return Listing::of($this->api, '/merchant/links', 'links', $params, $options, $convert);
    }

    /**
     * Returns the QR code of the link's page as an image.
     *
     * @param 'svg'|'png' $format
     */
    public function qr(
        string $linkId,
        string $format = 'svg',
        ?int $size = null,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): string {
        $options = new Options(null, $timeout, $maxRetries);
        $query = ['format' => $format, 'size' => $size];
        return $this->api->image(new Call('GET', Bodies::linkPath($linkId, '/qr'), $query), $options);
    }
}
