<?php

declare(strict_types=1);

namespace Florin\Exception;

/** Base class of the errors of calls and of webhook verification. */
class FlorinException extends \RuntimeException
{
    public function __construct(
        string $message,
        /** HTTP status; null without a complete response, or if a successful one can't be read. */
        public readonly ?int $status = null,
        /** Quote it when you report a problem. */
        public readonly ?string $requestId = null,
        /** Retrying the call with this key is safe for 24 hours. */
        public readonly ?string $idempotencyKey = null,
        /** The response body, parsed if it is JSON. */
        public readonly mixed $body = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }
}
