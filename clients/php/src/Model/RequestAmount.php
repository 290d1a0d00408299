<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The requested amount, before conversion. */
final class RequestAmount
{
    public function __construct(
        /** The amount of the request. */
        public readonly string $amount,
        /** The currency of the request. */
        public readonly string $currency,
        /** The value of one unit in the store's currency. */
        public readonly string $conversion_rate,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            amount: $data['amount'],
            currency: $data['currency'],
            conversion_rate: $data['conversion_rate'],
        );
    }
}
