export type Page<Item> = {
  readonly items: readonly Item[]
  /** Where the next page begins; null on the last. */
  readonly next_cursor: string | null
}

/** `for await` over it gives every item, asking for pages as it goes. */
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

  /** The first page alone. */
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
