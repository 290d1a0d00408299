<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The balance of the store. */
final class Balance
{
    public function __construct(
        /** The balance of the store. */
        public readonly string $balance,
        /** The store's currency. */
        public readonly string $currency,
        /** Gross of all pending payments. */
        public readonly string $pending_amount,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            balance: $data['balance'],
            currency: $data['currency'],
            pending_amount: $data['pending_amount'],
        );
    }
}
