<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

final class PaymentWebhook
{
    public function __construct(
        /** The id of the event, sent as `webhook-id` with every attempt. */
        public readonly string $id,
        /** @var 'payment.completed'|'payment.failed'|'payment.expired'|'payment.refunded' What happened to the payment. */
        public readonly string $type,
        /** Position of the event among the events of the payment. */
        public readonly int $sequence,
        /** Time of the event, UTC. */
        public readonly \DateTimeImmutable $created_at,
        /** Time of the latest request to resend the event, UTC. Null if there was none. */
        public readonly ?\DateTimeImmutable $resent_at,
        /** The URL it is posted to. Null if there is no `webhook_url`. */
        public readonly ?string $url,
        /** @var 'not_wanted'|'waiting'|'delivered'|'exhausted' State of the delivery. An exhausted event is not retried, but can be resent. */
        public readonly string $state,
        /** Time of the next attempt, UTC. Null if there is none. */
        public readonly ?\DateTimeImmutable $next_attempt_at,
        /** @var list<DeliveryAttempt> The latest attempts, oldest first. At most 100 for a payment. */
        public readonly array $attempts,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'],
            type: $data['type'],
            sequence: $data['sequence'],
            created_at: Json::time($data['created_at']),
            resent_at: isset($data['resent_at']) ? Json::time($data['resent_at']) : null,
            url: $data['url'] ?? null,
            state: $data['state'],
            next_attempt_at: isset($data['next_attempt_at']) ? Json::time($data['next_attempt_at']) : null,
            attempts: array_map(DeliveryAttempt::fromArray(...), $data['attempts']),
        );
    }
}
