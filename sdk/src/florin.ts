import { amountText } from './amounts.ts'
import { Events } from './events.ts'
import { Links } from './links.ts'
import { Payments } from './payments.ts'
import { Requester, type RequestOptions } from './request.ts'
import type { QuoteParams } from './requests.ts'
import { Sandbox } from './sandbox.ts'
import { type FlorinOptions, readSettings } from './settings.ts'
import type { Balance, Quote, Store } from './types.ts'

/** Client for one store. The keys select live or sandbox. */
export class Florin {
  readonly payments: Payments
  readonly links: Links
  readonly events: Events
  readonly sandbox: Sandbox
  readonly #api: Requester

  constructor(options: FlorinOptions) {
    this.#api = new Requester(readSettings(options))
    this.payments = new Payments(this.#api)
    this.links = new Links(this.#api)
    this.events = new Events(this.#api)
    this.sandbox = new Sandbox(this.#api)
  }

  /** Returns the balance of the store. */
  async balance(options: RequestOptions = {}): Promise<Balance> {
    return this.#api.json({ method: 'GET', path: '/merchant/balance' }, options)
  }

  /** Returns rate, fee and remaining limits for an amount. */
  async quote({ amount, currency }: QuoteParams, options: RequestOptions = {}): Promise<Quote> {
    const query = { amount: amountText(amount, { field: 'amount', currency }), currency }
    return this.#api.json({ method: 'GET', path: '/merchant/quote', query }, options)
  }

  /** Returns the store's profile and settings, and the mode and scopes of the keys. */
  async store(options: RequestOptions = {}): Promise<Store> {
    return this.#api.json({ method: 'GET', path: '/merchant/store' }, options)
  }
}
