<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

final class StoredEvent
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
        /** The id of the payment: `pay_` and 26 characters. */
        public readonly string $payment_id,
        /** The body that is delivered. Empty if it is no longer stored. */
        public readonly string $body,
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
            payment_id: $data['payment_id'],
            body: $data['body'],
        );
    }
}
