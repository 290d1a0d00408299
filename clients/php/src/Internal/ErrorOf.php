<?php

declare(strict_types=1);

namespace Florin\Internal;

use Florin\Exception\AuthenticationException;
use Florin\Exception\ConflictException;
use Florin\Exception\ConnectionException;
use Florin\Exception\FieldProblem;
use Florin\Exception\FlorinException;
use Florin\Exception\IdempotencyException;
use Florin\Exception\NotFoundException;
use Florin\Exception\PermissionException;
use Florin\Exception\RateLimitException;
use Florin\Exception\RefusedException;
use Florin\Exception\ServerException;
use Florin\Exception\ValidationException;

/**
 * Converts an error response to an exception.
 *
 * @internal
 */
final class ErrorOf
{
    public static function response(Response $response, ?string $idempotencyKey): FlorinException
    {
        $status = $response->status;
        $body = self::parseOrNull($response->body);
        $found = is_array($body) ? ($body['message'] ?? null) : null;
        $message = is_string($found) ? $found : "The service responded with $status";
        $retryAfter = self::parseRetryAfter($response->headers['retry-after'] ?? '', time());
        $facts = [
            'status' => $status,
            'requestId' => $response->headers['x-request-id'] ?? null,
            'idempotencyKey' => $idempotencyKey,
            'body' => $body ?? $response->body,
        ];
        return match (true) {
            $status >= 500 => new ServerException($message, $retryAfter, ...$facts),
            $status === 429 => new RateLimitException($message, $retryAfter, ...$facts),
            // A proxy responds with a 404 of its own while it has no route. That is not an unknown payment.
            !self::isFromFlorin($body, $status) =>
                new ConnectionException("The response $status is not from Florin. Check baseUrl.", ...$facts),
            $status === 400 => self::badRequest($message, $body, $facts),
            $status === 401 => new AuthenticationException($message, ...$facts),
            $status === 403 => new PermissionException($message, ...$facts),
            $status === 404 => new NotFoundException($message, ...$facts),
            // A conflict is temporary only while the first request with the key is running.
            $status === 409 && ($idempotencyKey === null || $retryAfter === null) =>
                new ConflictException($message, ...$facts),
            $status === 409, $status === 422 => new IdempotencyException($message, ...$facts),
            default => new FlorinException($message, ...$facts),
        };
    }

    /** Every error of Florin repeats its status. */
    private static function isFromFlorin(mixed $body, int $status): bool
    {
        return is_array($body) && in_array($status, [$body['status'] ?? null, $body['status_code'] ?? null], true);
    }

    /** @param array<string, mixed> $facts */
    private static function badRequest(string $message, mixed $body, array $facts): FlorinException
    {
        $problems = self::problems(is_array($body) ? ($body['errors'] ?? null) : null);
        if ($problems === null) {
            return new RefusedException($message, ...$facts);
        }
        $all = implode('; ', array_map(static fn (FieldProblem $problem) => $problem->message, $problems));
        return new ValidationException("$message: $all", $problems, ...$facts);
    }

    /**
     * Null without a list of problems: a refused refund has none.
     *
     * @return list<FieldProblem>|null
     */
    private static function problems(mixed $listed): ?array
    {
        if (!is_array($listed) || !array_is_list($listed)) {
            return null;
        }
        $problems = [];
        foreach ($listed as $item) {
            $field = is_array($item) ? ($item['field'] ?? null) : null;
            $message = is_array($item) ? ($item['message'] ?? null) : null;
            if (!is_string($field) || !is_string($message)) {
                return null;
            }
            $problems[] = new FieldProblem($field, $message);
        }
        return $problems;
    }

    private static function parseOrNull(string $text): mixed
    {
        try {
            return Json::parse($text);
        } catch (\JsonException) {
            return null;
        }
    }

    /** Parses seconds or an HTTP date. */
    private static function parseRetryAfter(string $text, int $now): ?float
    {
        if (preg_match('/^\d{1,9}\z/', $text) === 1) {
            return (float) $text;
        }
        $at = preg_match('/^[A-Za-z]{3}, /', $text) === 1 ? strtotime($text) : false;
        return $at === false ? null : (float) max(0, $at - $now);
    }
}
