import type { StatusOf } from './answers.ts'
import { checkedId, type SandboxPayParams, sandboxPayBody } from './params.ts'
import type { Requester, RequestOptions } from './request.ts'

/** Plays the payer. For sandbox keys only. */
export class Sandbox {
  readonly #api: Requester

  constructor(api: Requester) {
    this.#api = api
  }

  async pay(
    paymentId: string,
    params: SandboxPayParams = {},
    options: RequestOptions = {},
  ): Promise<StatusOf> {
    const path = `/sandbox/payment/${checkedId(paymentId)}/pay`
    return this.#api.json({ method: 'POST', path, body: sandboxPayBody(params) }, options)
  }

  /** The payer's balance is too low, unless told otherwise. */
  async fail(
    paymentId: string,
    outcome: 'insufficient_balance' | 'error' = 'insufficient_balance',
    options: RequestOptions = {},
  ): Promise<StatusOf> {
    return this.pay(paymentId, { outcome }, options)
  }

  /** As if its time had passed. */
  async expire(paymentId: string, options: RequestOptions = {}): Promise<StatusOf> {
    const path = `/sandbox/payment/${checkedId(paymentId)}/expire`
    return this.#api.json({ method: 'POST', path }, options)
  }
}
