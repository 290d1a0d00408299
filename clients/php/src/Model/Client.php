<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The customer, as you sent it. */
final class Client
{
    public function __construct(
        /** The customer's name. */
        public readonly string $name,
        /** The customer's email address. */
        public readonly string $email,
        /** Country calling code, as you sent it. */
        public readonly ?string $phone_dial_code,
        /** The customer's phone number. */
        public readonly string $phone,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            name: $data['name'],
            email: $data['email'],
            phone_dial_code: $data['phone_dial_code'] ?? null,
            phone: $data['phone'],
        );
    }
}
