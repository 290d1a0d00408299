<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The number of events that are resent. */
final class RedeliveredEvents
{
    public function __construct(
        /** Number of events that are resent. */
        public readonly int $events,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            events: $data['events'],
        );
    }
}
