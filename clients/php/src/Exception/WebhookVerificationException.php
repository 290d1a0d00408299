<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The delivery is not from Florin, was changed, or is outside the time tolerance. Respond with 400 and ignore it. */
final class WebhookVerificationException extends FlorinException
{
    /**
     * @param 'header_missing'|'timestamp_malformed'|'timestamp_outside_tolerance'|'signature_wrong'|'body_malformed' $reason
     */
    public function __construct(
        public readonly string $reason,
        string $message,
        ?\Throwable $previous = null,
    ) {
        parent::__construct("Webhook refused: $message", previous: $previous);
    }
}
