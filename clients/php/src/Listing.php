<?php

declare(strict_types=1);

namespace Florin;

use Florin\Internal\Call;
use Florin\Internal\Options;
use Florin\Internal\Requester;

/**
 * Iterates over all items with `foreach`, and fetches pages as needed.
 *
 * @template T
 * @implements \IteratorAggregate<int, T>
 */
final class Listing implements \IteratorAggregate
{
    private const PAGE_SIZE = 100;

    /** @param \Closure(?string): Page<T> $read */
    private function __construct(
        private readonly \Closure $read,
        private readonly ?string $cursor,
    ) {
    }

    /**
     * @internal
     * @template I
     * @param array<string, mixed> $params
     * @param callable(array<string, mixed>): I $convert
     * @return self<I>
     */
    public static function of(
        Requester $api,
        string $path,
        string $items,
        array $params,
        Options $options,
        callable $convert,
    ): self {
        $toPage = static fn (array $data): Page => new Page(
            array_map($convert, $data[$items]),
            $data['next_cursor'],
        );
        $read = static function (?string $cursor) use ($api, $path, $params, $options, $toPage): Page {
            $query = ['cursor' => $cursor] + $params + ['limit' => self::PAGE_SIZE];
            return $api->json(new Call('GET', $path, $query), $options, $toPage);
        };
        return new self($read, $params['cursor'] ?? null);
    }

    /**
     * Returns only one page: the one at `cursor`, by default the first.
     *
     * @return Page<T>
     */
    public function page(): Page
    {
        return ($this->read)($this->cursor);
    }

    /** @return \Generator<int, Page<T>> */
    public function pages(): \Generator
    {
        $cursor = $this->cursor;
        do {
            $page = ($this->read)($cursor);
            yield $page;
            $cursor = $page->nextCursor;
        } while ($cursor !== null);
    }

    /** @return \Generator<int, T> */
    public function getIterator(): \Generator
    {
        foreach ($this->pages() as $page) {
            foreach ($page->items as $item) {
                // Without keys, because those of each page begin with 0.
                yield $item;
            }
        }
    }
}
