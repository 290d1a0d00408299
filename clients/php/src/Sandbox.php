<?php

declare(strict_types=1);

namespace Florin;

use Florin\Internal\Bodies;
use Florin\Internal\Call;
use Florin\Internal\Options;
use Florin\Internal\Requester;
use Florin\Model\CurrentStatus;

/**
 * Acts as the payer. Needs sandbox keys.
 *
 * @phpstan-import-type SandboxPayParams from Params
 */
final class Sandbox
{
    /** @internal */
    public function __construct(private readonly Requester $api)
    {
    }

    /**
     * Pays the payment, or fails it with another `outcome`.
     *
     * @param SandboxPayParams $params
     */
    public function pay(
        string $paymentId,
        array $params = [],
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): CurrentStatus {
        $options = new Options(null, $timeout, $maxRetries);
        $path = '/sandbox/payment/' . Bodies::checkedId($paymentId, 'payment') . '/pay';
        $call = new Call('POST', $path, body: Bodies::sandboxPay($params));
        return $this->api->json($call, $options, CurrentStatus::fromArray(...));
    }

    /** Expires the payment. */
    public function expire(
        string $paymentId,
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): CurrentStatus {
        $options = new Options(null, $timeout, $maxRetries);
        $path = '/sandbox/payment/' . Bodies::checkedId($paymentId, 'payment') . '/expire';
        return $this->api->json(new Call('POST', $path), $options, CurrentStatus::fromArray(...));
    }

    /**
     * Fails the payment, by default because the balance is too low.
     *
     * @param 'insufficient_balance'|'error' $outcome
     */
    public function fail(
        string $paymentId,
        string $outcome = 'insufficient_balance',
        ?float $timeout = null,
        ?int $maxRetries = null,
    ): CurrentStatus {
        return $this->pay($paymentId, ['outcome' => $outcome], $timeout, $maxRetries);
    }
}
