<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * A monotonic clock, in seconds.
 *
 * @internal
 */
final class Clock
{
    public static function now(): float
    {
        return hrtime(true) / 1e9;
    }

    public static function sleep(float $seconds): void
    {
        usleep((int) ceil(max(0.0, $seconds) * 1e6));
    }
}
