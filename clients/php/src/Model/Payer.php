<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The payer. */
final class Payer
{
    public function __construct(
        /** The wallet's number. */
        public readonly int $id,
        /** The payer's name. */
        public readonly string $name,
        /** The payer's email address. */
        public readonly string $email,
        /** The payer's phone number. */
        public readonly string $phone,
        /** The wallet's id. */
        public readonly string $wallet_id,
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
            email: $data['email'],
            phone: $data['phone'],
            wallet_id: $data['wallet_id'],
        );
    }
}
