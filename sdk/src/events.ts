import { List } from './list.ts'
import type { Requester, RequestOptions } from './request.ts'
import type { EventListParams, TimeWindow } from './requests.ts'
import type { RedeliveredEvents, StoredEvent } from './types.ts'

const PAGE_SIZE = 100

/** Events of the store's payments, delivered or not. */
export class Events {
  readonly #api: Requester

  constructor(api: Requester) {
    this.#api = api
  }

  /** Lists events in order of time. */
  list(params: EventListParams = {}, options: RequestOptions = {}): List<StoredEvent> {
    return new List(async (cursor) => {
      const query = { limit: PAGE_SIZE, ...params, cursor }
      const page = await this.#api.json<{ events: StoredEvent[]; next_cursor: string | null }>(
        { method: 'GET', path: '/merchant/events', query },
        options,
      )
      return { items: page.events, next_cursor: page.next_cursor }
    }, params.cursor)
  }

  /** Resends every event in a time window that has a `webhook_url`. */
  async redeliver(window: TimeWindow, options: RequestOptions = {}): Promise<RedeliveredEvents> {
    const path = '/merchant/events/redeliver'
    return this.#api.json({ method: 'POST', path, body: JSON.stringify(window) }, options)
  }
}
