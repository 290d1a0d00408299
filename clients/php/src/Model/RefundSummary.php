<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

/** The refund. */
final class RefundSummary
{
    public function __construct(
        /** The amount that the payer received. */
        public readonly string $refund_amount,
        /** The refund fee: gross minus the refund amount. */
        public readonly string $refund_fee,
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
            refund_amount: $data['refund_amount'],
            refund_fee: $data['refund_fee'],
            refunded_at: Json::time($data['refunded_at']),
        );
    }
}
