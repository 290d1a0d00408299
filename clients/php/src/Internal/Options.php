<?php

declare(strict_types=1);

namespace Florin\Internal;

/** @internal */
final class Options
{
    public function __construct(
        public readonly ?string $idempotencyKey = null,
        public readonly ?float $timeout = null,
        public readonly ?int $maxRetries = null,
        /** A time of `Clock`. Limits all attempts together. */
        public readonly ?float $deadline = null,
    ) {
    }
}
