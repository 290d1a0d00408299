<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The store's limits. */
final class QuoteLimits
{
    public function __construct(
        /** Minimum gross of a payment. Null if there is none. */
        public readonly ?string $min_amount,
        /** Maximum gross of a payment. Null if there is none. */
        public readonly ?string $max_amount,
        /** Limit per day, in the store's time zone. */
        public readonly QuoteLimitsDaily $daily,
        /** Limit per month, in the store's time zone. */
        public readonly QuoteLimitsMonthly $monthly,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            min_amount: $data['min_amount'] ?? null,
            max_amount: $data['max_amount'] ?? null,
            daily: QuoteLimitsDaily::fromArray($data['daily']),
            monthly: QuoteLimitsMonthly::fromArray($data['monthly']),
        );
    }
}
