import type {
  CreatedPayment,
  Payment,
  PaymentWebhook,
  Redelivered,
  Refund,
  SettledStatus,
  StatusOf,
} from './answers.ts'
import { List } from './list.ts'
import {
  type CreateParams,
  checkedId,
  createBody,
  type ListParams,
  type QrParams,
} from './params.ts'
import type { Requester, RequestOptions, WriteOptions } from './request.ts'
import { type WaitOptions, waitUntilSettled } from './waitUntilSettled.ts'

const PAGE_SIZE = 100

export class Payments {
  readonly #api: Requester

  constructor(api: Requester) {
    this.#api = api
  }

  /** Asks for money. Sent under an idempotency key: however often it is repeated, one payment. */
  async create(params: CreateParams, options: WriteOptions = {}): Promise<CreatedPayment> {
    const body = createBody(params)
    const path = '/merchant/payment/create'
    return this.#api.json({ method: 'POST', path, body, once: true }, options)
  }

  /** Everything about a payment. */
  async retrieve(paymentId: string, options: RequestOptions = {}): Promise<Payment> {
    return this.#api.json({ method: 'GET', path: pathOf(paymentId) }, options)
  }

  /** With `wait`, 1 to 60 seconds, the answer comes when the payment is no longer pending, or then. */
  async status(
    paymentId: string,
    { wait, ...options }: RequestOptions & { readonly wait?: number } = {},
  ): Promise<StatusOf> {
    const path = pathOf(paymentId, '/status')
    const waitMs = (wait ?? 0) * 1000
    return this.#api.json({ method: 'GET', path, query: { wait }, waitMs }, options)
  }

  /** Resolves when the payment is paid, failed or expired; every payment is one of them in the end. */
  async waitUntilSettled(
    paymentId: string,
    options: WaitOptions = {},
  ): Promise<StatusOf<SettledStatus>> {
    return waitUntilSettled((more) => this.status(paymentId, more), options)
  }

  /** Sends the money back in full, under an idempotency key as well. */
  async refund(paymentId: string, options: WriteOptions = {}): Promise<Refund> {
    return this.#api.json(
      { method: 'POST', path: pathOf(paymentId, '/refund'), once: true },
      options,
    )
  }

  /** Newest first. */
  list(params: ListParams = {}, options: RequestOptions = {}): List<Payment> {
    return new List(async (cursor) => {
      const query = { limit: PAGE_SIZE, ...params, cursor }
      const page = await this.#api.json<{ payments: Payment[]; next_cursor: string | null }>(
        { method: 'GET', path: '/merchant/payments', query },
        options,
      )
      return { items: page.payments, next_cursor: page.next_cursor }
    }, params.cursor)
  }

  /** Gives up a pending payment. */
  async expire(paymentId: string, options: RequestOptions = {}): Promise<StatusOf> {
    return this.#api.json({ method: 'POST', path: pathOf(paymentId, '/expire') }, options)
  }

  /** The QR code as an image: text for SVG, bytes for PNG. */
  async qr(id: string, params?: QrParams<'svg'>, options?: RequestOptions): Promise<string>
  async qr(id: string, params: QrParams<'png'>, options?: RequestOptions): Promise<Uint8Array>
  async qr(
    paymentId: string,
    { format = 'svg', size }: QrParams = {},
    options: RequestOptions = {},
  ): Promise<string | Uint8Array> {
    const path = pathOf(paymentId, '/qr')
    const bytes = await this.#api.bytes({ method: 'GET', path, query: { format, size } }, options)
    return format === 'svg' ? new TextDecoder().decode(bytes) : bytes
  }

  /** Every event of a payment with every attempt to deliver it. */
  async webhooks(paymentId: string, options: RequestOptions = {}): Promise<PaymentWebhook[]> {
    const path = pathOf(paymentId, '/webhooks')
    const data = await this.#api.json<{ events: PaymentWebhook[] }>(
      { method: 'GET', path },
      options,
    )
    return data.events
  }

  /** Sends the latest event of a payment again, now, under the same id. */
  async redeliver(paymentId: string, options: RequestOptions = {}): Promise<Redelivered> {
    const path = pathOf(paymentId, '/webhooks/redeliver')
    return this.#api.json({ method: 'POST', path }, options)
  }
}

const pathOf = (paymentId: string, rest = '') => `/merchant/payment/${checkedId(paymentId)}${rest}`
