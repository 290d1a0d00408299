<?php

declare(strict_types=1);

namespace Florin;

/** @template T */
final class Page
{
    /** @param list<T> $items */
    public function __construct(
        public readonly array $items,
        /** Cursor of the next page; null on the last. */
        public readonly ?string $nextCursor,
    ) {
    }
}
