<?php

declare(strict_types=1);

namespace Florin\Internal;

/** @internal */
final class Response
{
    /** @param array<string, string> $headers by lower-case name */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
