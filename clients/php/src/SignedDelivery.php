<?php

declare(strict_types=1);

namespace Florin;

/** A delivery for your tests. */
final class SignedDelivery
{
    /** @param array<string, string> $headers */
    public function __construct(
        public readonly string $body,
        public readonly array $headers,
    ) {
    }
}
