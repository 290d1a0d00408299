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
