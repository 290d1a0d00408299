import { randomUUID } from 'node:crypto'
import type { CurrentStatus, Florin } from '@florin/sdk'
import { asSandboxMerchant, type MerchantOptions } from './merchant.ts'

/** The calls that bring a sandbox payment to each outcome. */
const STEPS: Record<string, (florin: Florin, id: string) => Promise<unknown>> = {
  'payment.completed': (florin, id) => florin.sandbox.pay(id),
  'payment.failed': (florin, id) => florin.sandbox.fail(id),
  'payment.expired': (florin, id) => florin.sandbox.expire(id),
  'payment.refunded': async (florin, id) => {
    await florin.sandbox.pay(id)
    await florin.payments.refund(id)
  },
}

export const TRIGGERS = Object.keys(STEPS)

/** Creates a sandbox payment and brings it to the outcome. */
export async function trigger(
  event: string,
  options: MerchantOptions & { webhookUrl?: string },
): Promise<CurrentStatus> {
  return asSandboxMerchant(options, async ({ florin }) => {
    const { currency, min_amount } = await florin.store()
    const { payment_id } = await florin.payments.create({
      amount: min_amount !== null && Number(min_amount) > 10 ? min_amount : '10',
      currency,
      // Different each time, because the store may require unique references.
      reference_id: `trigger ${event} ${randomUUID().slice(0, 8)}`,
      ...(options.webhookUrl !== undefined && { webhook_url: options.webhookUrl }),
    })
    await STEPS[event]!(florin, payment_id)
    return florin.payments.status(payment_id)
  })
}
