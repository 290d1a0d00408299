<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

/** The webhook. */
final class LatestWebhook
{
    public function __construct(
        /** Your `webhook_url`. */
        public readonly string $url,
        /** Time of the latest attempt, UTC. */
        public readonly ?\DateTimeImmutable $called_at,
        /** @var array<string, mixed>|null The result of the latest attempt: `{status_code, body}`, or `{error}`. */
        public readonly ?array $response,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            url: $data['url'],
            called_at: isset($data['called_at']) ? Json::time($data['called_at']) : null,
            response: $data['response'] ?? null,
        );
    }
}
