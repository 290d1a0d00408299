<?php

// Generated from contract/ and server/src/core/currencies.ts by: npx vitest run clients/test/generated -u

declare(strict_types=1);

namespace Florin\Model;

final class PaymentProduct
{
    public function __construct(
        /** Name of the product. */
        public readonly string $name,
        /** Number of units. */
        public readonly int $quantity,
        /** Price of one unit, in the currency of the request. */
        public readonly string $price,
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
            quantity: $data['quantity'],
            price: $data['price'],
        );
    }
}
