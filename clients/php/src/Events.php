<?php

declare(strict_types=1);

namespace Florin;

use Florin\Internal\Bodies;
use Florin\Internal\Call;
use Florin\Internal\Options;
use Florin\Internal\Requester;
use Florin\Model\RedeliveredEvents;
use Florin\Model\StoredEvent;

/**
 * Events of the store's payments, delivered or not.
 *
 * @phpstan-import-type EventListParams from Params
 * @phpstan-import-type TimeWindow from Params
 */
final class Events
{
    /** @internal */
    public function __construct(private readonly Requester $api)
    {
    }

    /**
     * Lists events, oldest first.
     *
     * @param EventListParams $params
     * @return Listing<StoredEvent>
     */
    public function list(
        array $params = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): Listing {
        $options = new Options(null, $timeout, $maxRetries);
        $convert = StoredEvent::fromArray(...);
        return Listing::of($this->api, '/merchant/events', 'events', $params, $options, $convert);
    }

    /**
     * Resends the events of a time window. Skips those without a `webhook_url`, and those whose body is no longer
     * stored.
     *
     * @param TimeWindow $window
     */
    public function redeliver(
        array $window,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): RedeliveredEvents {
        $options = new Options(null, $timeout, $maxRetries);
        $call = new Call('POST', '/merchant/events/redeliver', body: Bodies::text($window));
        return $this->api->json($call, $options, RedeliveredEvents::fromArray(...));
    }
}
