<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

final class DeliveryAttempt
{
    public function __construct(
        /** Time of the attempt, UTC. */
        public readonly \DateTimeImmutable $at,
        /** Duration in milliseconds. */
        public readonly int $duration_ms,
        /** Status that your server returned. Null if there was no complete response. */
        public readonly ?int $status_code,
        /** Why there was no complete response. Null if there was one. */
        public readonly ?string $error,
        /** The first 4 KiB of the response. */
        public readonly ?string $body,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            at: Json::time($data['at']),
            duration_ms: $data['duration_ms'],
            status_code: $data['status_code'] ?? null,
            error: $data['error'] ?? null,
            body: $data['body'] ?? null,
        );
    }
}
