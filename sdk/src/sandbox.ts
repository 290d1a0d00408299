import { checkedId, sandboxPayBody } from './params.ts'
import type { Requester, RequestOptions } from './request.ts'
import type { SandboxPayParams } from './requests.ts'
import type { CurrentStatus } from './types.ts'

/** Acts as the payer. Needs sandbox keys. */
export class Sandbox {
  readonly #api: Requester

  constructor(api: Requester) {
    this.#api = api
  }

  /** Pays the payment, or fails it with another `outcome`. */
  async pay(
    paymentId: string,
    params: SandboxPayParams = {},
    options: RequestOptions = {},
  ): Promise<CurrentStatus> {
    const path = `/sandbox/payment/${checkedId(paymentId)}/pay`
    return this.#api.json({ method: 'POST', path, body: sandboxPayBody(params) }, options)
  }

  /** Fails the payment, by default because the balance is too low. */
  async fail(
    paymentId: string,
    outcome: 'insufficient_balance' | 'error' = 'insufficient_balance',
    options: RequestOptions = {},
  ): Promise<CurrentStatus> {
    return this.pay(paymentId, { outcome }, options)
  }

  /** Expires the payment. */
  async expire(paymentId: string, options: RequestOptions = {}): Promise<CurrentStatus> {
    const path = `/sandbox/payment/${checkedId(paymentId)}/expire`
    return this.#api.json({ method: 'POST', path }, options)
  }
}
