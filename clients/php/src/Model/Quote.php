<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The terms of a payment of this amount. */
final class Quote
{
    public function __construct(
        /** The requested amount, before conversion. */
        public readonly RequestAmount $request_amount,
        /** The amount that the payer pays. */
        public readonly string $gross,
        /** The fee that the service keeps. */
        public readonly string $transaction_fee,
        /** The amount that the store receives. */
        public readonly string $amount,
        /** The store's currency. */
        public readonly string $currency,
        /** The store's limits. */
        public readonly QuoteLimits $limits,
        /** True if the limits allow this payment now. */
        public readonly bool $within_limits,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            request_amount: RequestAmount::fromArray($data['request_amount']),
            gross: $data['gross'],
            transaction_fee: $data['transaction_fee'],
            amount: $data['amount'],
            currency: $data['currency'],
            limits: QuoteLimits::fromArray($data['limits']),
            within_limits: $data['within_limits'],
        );
    }
}
