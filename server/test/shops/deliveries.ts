import { createHmac, randomUUID } from 'node:crypto'

type Delivery = { readonly id: string; readonly body: string }

/** Posts an event as Florin does, with a new signature. Returns the status of the response. */
export async function deliver(
  url: string,
  { id, body }: Delivery,
  secret: string,
): Promise<number> {
  const timestamp = Math.floor(Date.now() / 1000)
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature}`,
    },
    body,
  })
  await response.text()
  return response.status
}

/** The event of a completed payment that Florin does not know. */
export function eventOfUnknownPayment(): Delivery & { readonly paymentId: string } {
  const paymentId = `pay_${randomUUID().replaceAll('-', '').slice(0, 26)}`
  const data = { payment_id: paymentId, status: 'completed', payload: null }
  const body = JSON.stringify({ type: 'payment.completed', sequence: 1, data })
  return { id: `evt_${paymentId}_1`, body, paymentId }
}
