<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\Exception\TimeoutException;
use Florin\Model\CurrentStatus;

/**
 * Waits by long polls until a payment is settled.
 *
 * @internal
 */
final class Wait
{
    /** Well below the minute after which proxies tend to close idle connections. */
    private const WAIT_SECONDS = 25;
    /** A stopping service responds immediately; pause before the next call. */
    private const PAUSE_SECONDS = 1.0;
    /** Retries for 16 to 32 seconds, because a payment can settle while the service restarts. */
    private const MAX_RETRIES = 8;

    /** @param callable(int, Options): CurrentStatus $read */
    public static function untilSettled(callable $read, ?float $timeout): CurrentStatus
    {
        $deadline = $timeout === null ? INF : Clock::now() + Settings::checkedTimeout($timeout);
        $isAnswered = false;
        for (;;) {
            $sent = Clock::now();
            $wait = (int) ceil(min($deadline - $sent, self::WAIT_SECONDS));
            try {
                $options = new Options(maxRetries: self::MAX_RETRIES, deadline: $deadline);
                $found = $read(max(1, $wait), $options);
                if ($found->status !== 'pending') {
                    return $found;
                }
                $isAnswered = true;
            } catch (TimeoutException $error) {
                if (Clock::now() < $deadline) {
                    throw $error;
                }
            }
            if (Clock::now() >= $deadline) {
                throw new TimeoutException(
                    $isAnswered
                        ? "Still pending after $timeout s"
                        : "No status received within $timeout s. The payment may be pending or settled.",
                );
            }
            Clock::sleep(min($sent + self::PAUSE_SECONDS, $deadline) - Clock::now());
        }
    }
}
