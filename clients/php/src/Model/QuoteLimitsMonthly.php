<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** Limit per month, in the store's time zone. */
final class QuoteLimitsMonthly
{
    public function __construct(
        /** The limit. Null if there is none. */
        public readonly ?string $limit,
        /** The rest of the limit. Null if there is no limit. */
        public readonly ?string $left,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            limit: $data['limit'] ?? null,
            left: $data['left'] ?? null,
        );
    }
}
