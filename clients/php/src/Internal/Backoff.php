<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\Exception\ConnectionException;
use Florin\Exception\FlorinException;
use Florin\Exception\IdempotencyException;
use Florin\Exception\RateLimitException;
use Florin\Exception\RetryLaterException;
use Florin\Exception\ServerException;

/**
 * When to retry, and after which delay.
 *
 * @internal
 */
final class Backoff
{
    private const FIRST_DELAY_SECONDS = 0.25;
    private const MAX_DELAY_SECONDS = 8.0;
    /** A longer Retry-After is left to the caller. */
    private const MAX_RETRY_AFTER_SECONDS = 30.0;
    /** Proxies respond with 404 while they have no route, and 408 to slow requests. Their other 4xx are permanent. */
    private const TEMPORARY_PROXY_STATUSES = [404, 408];

    /**
     * The seconds before the next attempt; null if the request must not be retried. `$isIdempotent` means that a
     * retried request has no further effect.
     */
    public static function retryWaitSeconds(FlorinException $error, bool $isIdempotent, int $retries): ?float
    {
        if (!self::isRetryable($error, $isIdempotent)) {
            return null;
        }
        $random = random_int(0, 1_000_000) / 1_000_000;
        $requested = $error instanceof RetryLaterException ? $error->retryAfter : null;
        // Add jitter, so that many clients don't return at the same time.
        if ($requested !== null) {
            return $requested > self::MAX_RETRY_AFTER_SECONDS ? null : $requested + $random * self::FIRST_DELAY_SECONDS;
        }
        return min(self::MAX_DELAY_SECONDS, self::FIRST_DELAY_SECONDS * 2 ** $retries) * (0.5 + $random / 2);
    }

    private static function isRetryable(FlorinException $error, bool $isIdempotent): bool
    {
        // The request was rejected before anything was done.
        if ($error instanceof RateLimitException) {
            return true;
        }
        if (!$isIdempotent) {
            return false;
        }
        if ($error instanceof ServerException) {
            return true;
        }
        if ($error instanceof ConnectionException) {
            return $error->status === null || in_array($error->status, self::TEMPORARY_PROXY_STATUSES, true);
        }
        return $error instanceof IdempotencyException && $error->status === 409;
    }
}
