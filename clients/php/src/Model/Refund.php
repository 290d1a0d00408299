<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

/** The refund. */
final class Refund
{
    public function __construct(
        /** The id of the payment: `pay_` and 26 characters. */
        public readonly string $payment_id,
        /** The amount that the payer receives. */
        public readonly string $refund_amount,
        /** The refund fee: gross minus the refund amount. */
        public readonly string $refund_fee,
        /** @var 'refunded' The status of the payment. */
        public readonly string $status,
        /** Time of the refund, UTC. */
        public readonly \DateTimeImmutable $refunded_at,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            payment_id: $data['payment_id'],
            refund_amount: $data['refund_amount'],
            refund_fee: $data['refund_fee'],
            status: $data['status'],
            refunded_at: Json::time($data['refunded_at']),
        );
    }
}
