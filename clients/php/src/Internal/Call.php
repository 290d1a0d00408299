<?php

declare(strict_types=1);

namespace Florin\Internal;

/** @internal */
final class Call
{
    /** @param array<string, mixed> $query */
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly array $query = [],
        public readonly ?string $body = null,
        /** Sends an idempotency key, so that retries have no further effect. */
        public readonly bool $isIdempotent = false,
        /** Extra seconds that the service may wait by design. */
        public readonly int $wait = 0,
    ) {
    }
}
