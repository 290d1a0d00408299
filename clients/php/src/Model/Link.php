<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

/** A link that several payers can pay, each with a payment of their own. */
final class Link
{
    public function __construct(
        /** The id of the link: `lnk_` and 26 characters. */
        public readonly string $link_id,
        /** The page of the link. Share it, or print its QR code. */
        public readonly string $url,
        /** @var 'live'|'sandbox' Live or sandbox. */
        public readonly string $mode,
        /** What you sell. */
        public readonly string $title,
        /** The description. */
        public readonly ?string $description,
        /** Amount of each payment. Null if the payer chooses. */
        public readonly ?string $amount,
        /** The currency of `amount`. */
        public readonly string $currency,
        /** @var list<PaymentProduct> The products. May be empty. */
        public readonly array $products,
        /** @var array<string, mixed>|null Your custom data, for every payment. */
        public readonly ?array $payload,
        /** Your own id, for every payment. */
        public readonly ?string $reference_id,
        /** A note that is shown to the payer. */
        public readonly ?string $reference_note,
        /** URL that events of the payments are posted to. */
        public readonly ?string $webhook_url,
        /** URL that the wallet links to after paying. */
        public readonly ?string $return_url,
        /** @var 'en'|'es'|'fr'|'ar'|'zh'|null Language of the page. Null if the browser decides. */
        public readonly ?string $locale,
        /** How many times the link can be paid. Null without a limit. */
        public readonly ?int $max_payments,
        /** Time after which the link can no longer be paid, UTC. */
        public readonly ?\DateTimeImmutable $expires_at,
        /** False if the store paused the link. */
        public readonly bool $active,
        /** @var 'active'|'paused'|'used_up'|'expired' `active`: neither paused nor used up nor expired. `paused`: the store paused it. `used_up`: it was paid `max_payments` times or more. `expired`: `expires_at` has passed. */
        public readonly string $state,
        /** How many times it was paid, including payments refunded later. */
        public readonly int $paid_count,
        /** The gross of these payments. */
        public readonly string $paid_total,
        /** The currency of `paid_total`: the store's. */
        public readonly string $paid_currency,
        /** Time of creation, UTC. */
        public readonly \DateTimeImmutable $created_at,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            link_id: $data['link_id'],
            url: $data['url'],
            mode: $data['mode'],
            title: $data['title'],
            description: $data['description'] ?? null,
            amount: $data['amount'] ?? null,
            currency: $data['currency'],
            products: array_map(PaymentProduct::fromArray(...), $data['products']),
            payload: $data['payload'] ?? null,
            reference_id: $data['reference_id'] ?? null,
            reference_note: $data['reference_note'] ?? null,
            webhook_url: $data['webhook_url'] ?? null,
            return_url: $data['return_url'] ?? null,
            locale: $data['locale'] ?? null,
            max_payments: $data['max_payments'] ?? null,
            expires_at: isset($data['expires_at']) ? Json::time($data['expires_at']) : null,
            active: $data['active'],
            state: $data['state'],
            paid_count: $data['paid_count'],
            paid_total: $data['paid_total'],
            paid_currency: $data['paid_currency'],
            created_at: Json::time($data['created_at']),
        );
    }
}
