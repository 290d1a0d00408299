<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The new payment. */
final class CreatedPayment
{
    public function __construct(
        /** The id of the payment: `pay_` and 26 characters. */
        public readonly string $payment_id,
        /** The 27 digits of the payment code. Show them as a QR code or as text. */
        public readonly string $qr_code,
        /** Instructions for the payer, a fragment of safe HTML. */
        public readonly string $instructions,
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
            instructions: $data['instructions'],
        );
    }
}
