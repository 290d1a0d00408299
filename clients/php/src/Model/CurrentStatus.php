<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** A payment and its status. */
final class CurrentStatus
{
    public function __construct(
        /** The id of the payment: `pay_` and 26 characters. */
        public readonly string $payment_id,
        /** @var 'pending'|'completed'|'failed'|'refunded'|'expired' The status of the payment. */
        public readonly string $status,
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
            status: $data['status'],
        );
    }
}
