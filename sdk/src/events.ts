import { type List, listItems } from './list.ts'
import type { Requester, RequestOptions } from './request.ts'
import type { EventListParams, TimeWindow } from './requests.ts'
import type { RedeliveredEvents, StoredEvent } from './types.ts'

/** Events of the store's payments, delivered or not. */
export class Events {
  readonly #api: Requester

  constructor(api: Requester) {
    this.#api = api
  }

  /** Lists events, oldest first. */
  list(params: EventListParams = {}, options: RequestOptions = {}): List<StoredEvent> {
    const path = '/merchant/events'
    return listItems(this.#api, { path, name: 'events', query: params }, options)
  }

  /** Resends the events of a time window. Skips those without a `webhook_url`, and those whose body is no longer stored. */
  async redeliver(window: TimeWindow, options: RequestOptions = {}): Promise<RedeliveredEvents> {
    const path = '/merchant/events/redeliver'
    return this.#api.json({ method: 'POST', path, body: JSON.stringify(window) }, options)
  }
}
