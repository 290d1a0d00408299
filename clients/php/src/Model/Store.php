<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The store and its settings. */
final class Store
{
    public function __construct(
        /** The store's number. */
        public readonly int $id,
        /** Name of the store. */
        public readonly string $name,
        /** URL of an image. */
        public readonly string $logo,
        /** Website of the store, or empty. */
        public readonly string $domain,
        /** Email address of the store, or empty. */
        public readonly string $email,
        /** Phone number of the store, or empty. */
        public readonly string $phone,
        /** The store's currency. */
        public readonly string $currency,
        /** IANA name. Daily and monthly limits use this time zone. */
        public readonly string $time_zone,
        /** Transaction fee in basis points of gross; 100 is 1%. */
        public readonly int $fee_bps,
        /** Fixed part of the transaction fee. */
        public readonly string $fee_fixed,
        /** Fee that is deducted from a refund. */
        public readonly string $refund_fee,
        /** Minimum gross of a payment. Null if there is none. */
        public readonly ?string $min_amount,
        /** Maximum gross of a payment. Null if there is none. */
        public readonly ?string $max_amount,
        /** Maximum gross per day. Null if there is none. */
        public readonly ?string $daily_limit,
        /** Maximum gross per month. Null if there is none. */
        public readonly ?string $monthly_limit,
        /** Seconds until a payment expires, unless `expires_in` is set. */
        public readonly int $expires_after_seconds,
        /** True if a payment cannot reuse the `reference_id` of a pending, paid or refunded one. */
        public readonly bool $unique_references,
        /** Maximum gross that a manager can refund. Null if there is no maximum. */
        public readonly ?string $refund_cap_manager,
        /** Maximum gross that a cashier can refund. 0 if cashiers cannot refund. Null if there is no maximum. */
        public readonly ?string $refund_cap_cashier,
        /** @var list<string> Sites that can show the checkout page in a frame. */
        public readonly array $embed_origins,
        /** @var 'live'|'sandbox' The mode of the API key. */
        public readonly string $mode,
        /** @var list<string> The scopes of the API key. */
        public readonly array $scopes,
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
            name: $data['name'],
            logo: $data['logo'],
            domain: $data['domain'],
            email: $data['email'],
            phone: $data['phone'],
            currency: $data['currency'],
            time_zone: $data['time_zone'],
            fee_bps: $data['fee_bps'],
            fee_fixed: $data['fee_fixed'],
            refund_fee: $data['refund_fee'],
            min_amount: $data['min_amount'] ?? null,
            max_amount: $data['max_amount'] ?? null,
            daily_limit: $data['daily_limit'] ?? null,
            monthly_limit: $data['monthly_limit'] ?? null,
            expires_after_seconds: $data['expires_after_seconds'],
            unique_references: $data['unique_references'],
            refund_cap_manager: $data['refund_cap_manager'] ?? null,
            refund_cap_cashier: $data['refund_cap_cashier'] ?? null,
            embed_origins: $data['embed_origins'],
            mode: $data['mode'],
            scopes: $data['scopes'],
        );
    }
}
