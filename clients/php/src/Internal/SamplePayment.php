<?php

declare(strict_types=1);

namespace Florin\Internal;

/**
 * A payment for test events, in the form of the API.
 *
 * @internal
 */
final class SamplePayment
{
    /** @return array<string, mixed> */
    public static function of(string $status, \DateTimeInterface $at): array
    {
        $now = gmdate('Y-m-d H:i:s', $at->getTimestamp());
        $payer = [
            'id' => 1,
            'name' => 'Ada',
            'email' => 'ada@example.com',
            'phone' => '+15550000001',
            'wallet_id' => 'wal_0000000000000000',
        ];
        $refund = ['refund_amount' => '12.00', 'refund_fee' => '0.50', 'refunded_at' => $now];
        return [
            'payment_id' => 'pay_00000000000000000000000000',
            'qr_code' => str_repeat('2', 27),
            'amount' => '12.37',
            'transaction_fee' => '0.13',
            'donation_amount' => '0.00',
            'currency' => 'USD',
            'status' => $status,
            'created_at' => $now,
            'is_sandbox_transaction' => true,
            'client' => null,
            'user' => in_array($status, ['completed', 'refunded'], true) ? $payer : null,
            'store' => [
                'name' => 'Test Store',
                'logo' => 'https://pay.example.com/stores/1/logo.svg',
                'domain' => '',
                'email' => '',
                'phone' => '',
            ],
            'webhook' => ['url' => 'https://shop.example/hook', 'called_at' => null, 'response' => null],
            'reference' => ['id' => 'order-1', 'note' => null],
            'request_amount' => ['amount' => '12.50', 'currency' => 'USD', 'conversion_rate' => '1.0000'],
            'payload' => null,
            'products' => [],
            'expires_at' => $now,
            'refund' => $status === 'refunded' ? $refund : null,
            'link_id' => null,
        ];
    }
}
