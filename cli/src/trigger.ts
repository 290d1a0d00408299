import { Refused } from './local.ts'
import { type MerchantOptions, sandboxMerchant } from './merchant.ts'

/** Each outcome, and the calls that take a sandbox payment there. */
const STEPS: Record<string, readonly (readonly [path: string, body?: unknown])[]> = {
  'payment.completed': [['/sandbox/payment/ID/pay', { outcome: 'completed' }]],
  'payment.failed': [['/sandbox/payment/ID/pay', { outcome: 'insufficient_balance' }]],
  'payment.expired': [['/sandbox/payment/ID/expire']],
  'payment.refunded': [
    ['/sandbox/payment/ID/pay', { outcome: 'completed' }],
    ['/merchant/payment/ID/refund'],
  ],
}

export const TRIGGERS = Object.keys(STEPS)

/** Makes a real sandbox payment and takes it to the named outcome. */
export async function trigger(
  event: string,
  options: MerchantOptions & { webhookUrl?: string },
): Promise<{ payment_id: string; status: string }> {
  const steps = STEPS[event]
  if (steps === undefined) throw new Refused(`Say one of: ${TRIGGERS.join(', ')}`)
  const merchant = await sandboxMerchant(options)
  const { currency } = await merchant.call<{ currency: string }>('GET', '/merchant/store')
  const { payment_id } = await merchant.call<{ payment_id: string }>(
    'POST',
    '/merchant/payment/create',
    {
      ...{ amount: 10, currency, reference_id: `trigger ${event}` },
      ...(options.webhookUrl ? { webhook_url: options.webhookUrl } : {}),
    },
  )
  for (const [path, body] of steps)
    await merchant.call('POST', path.replace('ID', payment_id), body)
  return merchant.call('GET', `/merchant/payment/${payment_id}/status`)
}
