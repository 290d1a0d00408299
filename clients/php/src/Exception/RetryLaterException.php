<?php

declare(strict_types=1);

namespace Florin\Exception;

/** An error whose response may have a Retry-After header. */
abstract class RetryLaterException extends FlorinException
{
    public function __construct(
        string $message,
        /** Seconds to wait; null without a valid Retry-After. */
        public readonly ?float $retryAfter,
        ?int $status = null,
        ?string $requestId = null,
        ?string $idempotencyKey = null,
        mixed $body = null,
    ) {
        parent::__construct($message, $status, $requestId, $idempotencyKey, $body);
    }
}
