<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** The store as payers see it. */
final class StoreProfile
{
    public function __construct(
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
            logo: $data['logo'],
            domain: $data['domain'],
            email: $data['email'],
            phone: $data['phone'],
        );
    }
}
