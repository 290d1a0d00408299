<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * Seconds of a clock that is never set.
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
