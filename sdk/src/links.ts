import { type List, listItems } from './list.ts'
import { checkedId, createLinkBody, type QrParams } from './params.ts'
import type { Requester, RequestOptions, WriteOptions } from './request.ts'
import type { CreateLinkParams, LinkListParams, UpdateLinkParams } from './requests.ts'
import type { Link } from './types.ts'

/** Links that several payers can pay. */
export class Links {
  readonly #api: Requester

  constructor(api: Requester) {
    this.#api = api
  }

  /** Creates a link. Sends an idempotency key, so retries create one link. */
  async create(params: CreateLinkParams, options: WriteOptions = {}): Promise<Link> {
    const body = createLinkBody(params)
    return this.#api.json(
      { method: 'POST', path: '/merchant/links', body, isIdempotent: true },
      options,
    )
  }

  /** Returns a link, how many times it was paid, and the total. */
  async retrieve(linkId: string, options: RequestOptions = {}): Promise<Link> {
    return this.#api.json({ method: 'GET', path: pathOf(linkId) }, options)
  }

  /** Changes the given fields. `active: false` pauses the link. */
  async update(
    linkId: string,
    params: UpdateLinkParams,
    options: RequestOptions = {},
  ): Promise<Link> {
    const body = JSON.stringify(params)
    return this.#api.json({ method: 'PATCH', path: pathOf(linkId), body }, options)
  }

  /** Lists links, newest first. */
  list({ active, ...params }: LinkListParams = {}, options: RequestOptions = {}): List<Link> {
    const query = active == null ? params : { ...params, active: String(active) }
    return listItems(this.#api, { path: '/merchant/links', name: 'links', query }, options)
  }

  /** Returns the QR code of the link's page: text for SVG, bytes for PNG. */
  async qr(linkId: string, params?: QrParams<'svg'>, options?: RequestOptions): Promise<string>
  async qr(linkId: string, params: QrParams<'png'>, options?: RequestOptions): Promise<Uint8Array>
  async qr(linkId: string, params: QrParams, options?: RequestOptions): Promise<string | Uint8Array>
  async qr(
    linkId: string,
    { format = 'svg', size }: QrParams = {},
    options: RequestOptions = {},
  ): Promise<string | Uint8Array> {
    const path = pathOf(linkId, '/qr')
    const bytes = await this.#api.image({ method: 'GET', path, query: { format, size } }, options)
    return format === 'svg' ? new TextDecoder().decode(bytes) : bytes
  }
}

const pathOf = (linkId: string, rest = '') => `/merchant/links/${checkedId(linkId, 'link')}${rest}`
