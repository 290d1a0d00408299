<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The event that is resent. */
final class Redelivered
{
    public function __construct(
        /** The id of the event, unchanged. */
        public readonly string $id,
        /** What happened to the payment. */
        public readonly string $type,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            type: $data['type'],
        );
    }
}
