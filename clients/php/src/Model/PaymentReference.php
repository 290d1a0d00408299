<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

/** Your own references. */
final class PaymentReference
{
    public function __construct(
        /** Your `reference_id`. */
        public readonly ?string $id,
        /** Your `reference_note`. */
        public readonly ?string $note,
    ) {
    }

    /**
     * @internal
     * @param array<string, mixed> $data
     */
    public static function fromArray(array $data): self
    {
        return new self(
            id: $data['id'] ?? null,
            note: $data['note'] ?? null,
        );
    }
}
