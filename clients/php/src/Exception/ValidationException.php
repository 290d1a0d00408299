<?php

declare(strict_types=1);

namespace Florin\Exception;

/** The request is invalid. `status` is null if the client detected this before sending. */
final class ValidationException extends FlorinException
{
    /** @param list<FieldProblem> $errors */
    public function __construct(
        string $message,
        public readonly array $errors,
        ?int $status = null,
        ?string $requestId = null,
        ?string $idempotencyKey = null,
        mixed $body = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, $status, $requestId, $idempotencyKey, $body, $previous);
    }

    public static function of(string $field, string $problem, ?\Throwable $previous = null): self
    {
        $message = "$field $problem";
        return new self($message, [new FieldProblem($field, $message)], previous: $previous);
    }
}
