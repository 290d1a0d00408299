<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

use Florin\Internal\Json;

/** All details of a payment. */
final class Payment
{
    public function __construct(
        /** The id of the payment: `pay_` and 26 characters. */
        public readonly string $payment_id,
        /** The 27 digits of the payment code. Show them as a QR code or as text. */
        public readonly string $qr_code,
        /** Net amount, which the store receives: gross minus the transaction fee. */
        public readonly string $amount,
        /** The fee that the service keeps. */
        public readonly string $transaction_fee,
        /** The donation that the payer added. */
        public readonly string $donation_amount,
        /** The store's currency. All amounts except `request_amount` and the prices of `products` are in this currency. */
        public readonly string $currency,
        /** @var 'pending'|'completed'|'failed'|'refunded'|'expired' The status of the payment. */
        public readonly string $status,
        /** Time of creation, UTC. */
        public readonly \DateTimeImmutable $created_at,
        /** True for a sandbox payment. */
        public readonly bool $is_sandbox_transaction,
        /** The customer, as you sent it. */
        public readonly ?Client $client,
        /** The payer. Null until the payment is completed. */
        public readonly ?Payer $user,
        /** The store as payers see it. */
        public readonly StoreProfile $store,
        /** The webhook. Null if you set no `webhook_url`. */
        public readonly ?LatestWebhook $webhook,
        /** Your own references. */
        public readonly PaymentReference $reference,
        /** The requested amount, before conversion. */
        public readonly RequestAmount $request_amount,
        /** @var array<string, mixed>|null Your custom data, as you sent it. */
        public readonly ?array $payload,
        /** @var list<PaymentProduct> The products. May be empty. */
        public readonly array $products,
        /** Time when a pending payment expires, UTC. */
        public readonly \DateTimeImmutable $expires_at,
        /** The refund. Null if the payment is not refunded. */
        public readonly ?RefundSummary $refund,
        /** The link that the payer used. Null if you created the payment yourself. */
        public readonly ?string $link_id,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            payment_id: $data['payment_id'],
            qr_code: $data['qr_code'],
            amount: $data['amount'],
            transaction_fee: $data['transaction_fee'],
            donation_amount: $data['donation_amount'],
            currency: $data['currency'],
            status: $data['status'],
            created_at: Json::time($data['created_at']),
            is_sandbox_transaction: $data['is_sandbox_transaction'],
            client: isset($data['client']) ? Client::fromArray($data['client']) : null,
            user: isset($data['user']) ? Payer::fromArray($data['user']) : null,
            store: StoreProfile::fromArray($data['store']),
            webhook: isset($data['webhook']) ? LatestWebhook::fromArray($data['webhook']) : null,
            reference: PaymentReference::fromArray($data['reference']),
            request_amount: RequestAmount::fromArray($data['request_amount']),
            payload: $data['payload'] ?? null,
            products: array_map(PaymentProduct::fromArray(...), $data['products']),
            expires_at: Json::time($data['expires_at']),
            refund: isset($data['refund']) ? RefundSummary::fromArray($data['refund']) : null,
            link_id: $data['link_id'] ?? null,
        );
    }
}
