import { type List, listItems } from './list.ts'
import { checkedId, createBody, type QrParams } from './params.ts'
import type { Requester, RequestOptions, WriteOptions } from './request.ts'
import type { CreateParams, ListParams } from './requests.ts'
import type {
  CreatedPayment,
  CurrentStatus,
  Payment,
  PaymentWebhook,
  Redelivered,
  Refund,
  SettledStatus,
} from './types.ts'
import { type WaitOptions, waitUntilSettled } from './waitUntilSettled.ts'

/** Payments of the store. */
export class Payments {
  readonly #api: Requester

  constructor(api: Requester) {
    this.#api = api
  }

  /** Creates a payment. Sends an idempotency key, so retries create one payment. */
  async create(params: CreateParams, options: WriteOptions = {}): Promise<CreatedPayment> {
    const body = createBody(params)
    const path = '/merchant/payment/create'
    return this.#api.json({ method: 'POST', path, body, isIdempotent: true }, options)
  }

  /** Returns the details of a payment. */
  async retrieve(paymentId: string, options: RequestOptions = {}): Promise<Payment> {
    return this.#api.json({ method: 'GET', path: pathOf(paymentId) }, options)
  }

  /** Returns the status. With `wait` (1 to 60 seconds), waits up to that long while the payment is pending. */
  async status(
    paymentId: string,
    { wait, ...options }: RequestOptions & { readonly wait?: number | undefined } = {},
  ): Promise<CurrentStatus> {
    const path = pathOf(paymentId, '/status')
    const waitMs = (wait ?? 0) * 1000
    return this.#api.json({ method: 'GET', path, query: { wait }, waitMs }, options)
  }

  /** Resolves when the payment is no longer pending. */
  async waitUntilSettled(
    paymentId: string,
    options: WaitOptions = {},
  ): Promise<CurrentStatus<SettledStatus>> {
    return waitUntilSettled((statusOptions) => this.status(paymentId, statusOptions), options)
  }

  /** Refunds the payment in full. Sends an idempotency key. */
  async refund(paymentId: string, options: WriteOptions = {}): Promise<Refund> {
    return this.#api.json(
      { method: 'POST', path: pathOf(paymentId, '/refund'), isIdempotent: true },
      options,
    )
  }

  /** Lists payments, newest first. */
  list(params: ListParams = {}, options: RequestOptions = {}): List<Payment> {
    const path = '/merchant/payments'
    return listItems(this.#api, { path, name: 'payments', query: params }, options)
  }

  /** Expires a pending payment. */
  async expire(paymentId: string, options: RequestOptions = {}): Promise<CurrentStatus> {
    return this.#api.json({ method: 'POST', path: pathOf(paymentId, '/expire') }, options)
  }

  /** Returns the QR code as an image: text for SVG, bytes for PNG. */
  async qr(paymentId: string, params?: QrParams<'svg'>, options?: RequestOptions): Promise<string>
  async qr(
    paymentId: string,
    params: QrParams<'png'>,
    options?: RequestOptions,
  ): Promise<Uint8Array>
  async qr(
    paymentId: string,
    params: QrParams,
    options?: RequestOptions,
  ): Promise<string | Uint8Array>
  async qr(
    paymentId: string,
    { format = 'svg', size }: QrParams = {},
    options: RequestOptions = {},
  ): Promise<string | Uint8Array> {
    const path = pathOf(paymentId, '/qr')
    const bytes = await this.#api.image({ method: 'GET', path, query: { format, size } }, options)
    return format === 'svg' ? new TextDecoder().decode(bytes) : bytes
  }

  /** Lists the events of a payment with their latest delivery attempts. */
  async webhooks(paymentId: string, options: RequestOptions = {}): Promise<PaymentWebhook[]> {
    const path = pathOf(paymentId, '/webhooks')
    const data = await this.#api.json<{ events: PaymentWebhook[] }>(
      { method: 'GET', path },
      options,
    )
    return data.events
  }

  /** Resends the latest event of a payment. The event keeps its id. */
  async redeliver(paymentId: string, options: RequestOptions = {}): Promise<Redelivered> {
    const path = pathOf(paymentId, '/webhooks/redeliver')
    return this.#api.json({ method: 'POST', path }, options)
  }
}

const pathOf = (paymentId: string, rest = '') => `/merchant/payment/${checkedId(paymentId)}${rest}`
