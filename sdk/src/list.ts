import type { Call, Requester, RequestOptions } from './request.ts'

const PAGE_SIZE = 100

export type Page<Item> = {
  readonly items: readonly Item[]
  /** Cursor of the next page; null on the last. */
  readonly next_cursor: string | null
}

/** Iterates over all items with `for await`, and fetches pages as needed. */
export class List<Item> implements AsyncIterable<Item> {
  readonly #read: (cursor: string | undefined) => Promise<Page<Item>>
  readonly #cursor: string | undefined

  constructor(
    read: (cursor: string | undefined) => Promise<Page<Item>>,
    cursor: string | undefined,
  ) {
    this.#read = read
    this.#cursor = cursor
  }

  /** Returns only one page: the one at `cursor`, by default the first. */
  page(): Promise<Page<Item>> {
    return this.#read(this.#cursor)
  }

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    let cursor = this.#cursor
    for (;;) {
      const page = await this.#read(cursor)
      yield page
      if (page.next_cursor === null) return
      cursor = page.next_cursor
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* page.items
  }
}

type ListCall = {
  readonly path: string
  /** The field of the response that has the items. */
  readonly name: string
  readonly query: NonNullable<Call['query']> & { readonly cursor?: string }
}

export function listItems<Item>(
  api: Requester,
  { path, name, query }: ListCall,
  options: RequestOptions,
): List<Item> {
  return new List(async (cursor) => {
    const data = await api.json<Record<string, unknown>>(
      { method: 'GET', path, query: { limit: PAGE_SIZE, ...query, cursor } },
      options,
    )
    return { items: data[name] as Item[], next_cursor: data.next_cursor as string | null }
  }, query.cursor)
}
