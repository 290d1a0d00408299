import type { EventType, Payment, SettledStatus } from './types.ts'
import { signatureHeaders, type WebhookSecret } from './webhooks.ts'

export type TestEventParams = {
  readonly type: EventType
  /** The secret for `constructEvent`: any base64 after `whsec_`. */
  readonly secret: WebhookSecret
  /** Fields of the payment for your test; the rest is sample data. */
  readonly data?: Partial<Payment>
  readonly id?: string
  readonly at?: Date
}

/** Creates a signed delivery for your tests: post it, or pass it to your handler. */
export async function signTestEvent({
  type,
  secret,
  data = {},
  id = `evt_00000000000000000000000000_${sequenceOf(type)}`,
  at = new Date(),
}: TestEventParams): Promise<{ body: string; headers: Record<string, string> }> {
  const body = JSON.stringify({
    type,
    sequence: sequenceOf(type),
    timestamp: at.toISOString(),
    data: { ...samplePayment(type.slice('payment.'.length) as SettledStatus, at), ...data },
  })
  return { body, headers: await signatureHeaders({ id, at, body }, secret) }
}

/** A refund is the second event of its payment. */
const sequenceOf = (type: EventType) => (type === 'payment.refunded' ? 2 : 1)

function samplePayment(status: SettledStatus, at: Date): Payment {
  const now = at.toISOString().slice(0, 19).replace('T', ' ')
  const isPaid = status === 'completed' || status === 'refunded'
  return {
    payment_id: 'pay_00000000000000000000000000',
    qr_code: '2'.repeat(27),
    amount: '12.37',
    transaction_fee: '0.13',
    donation_amount: '0.00',
    currency: 'USD',
    status,
    created_at: now,
    is_sandbox_transaction: true,
    client: null,
    user: isPaid
      ? {
          id: 1,
          name: 'Ada',
          email: 'ada@example.com',
          phone: '+15550000001',
          wallet_id: 'wal_0000000000000000',
        }
      : null,
    store: {
      name: 'Test Store',
      logo: 'https://pay.example.com/stores/1/logo.svg',
      domain: '',
      email: '',
      phone: '',
    },
    webhook: { url: 'https://shop.example/hook', called_at: null, response: null },
    reference: { id: 'order-1', note: null },
    request_amount: { amount: '12.50', currency: 'USD', conversion_rate: '1.0000' },
    payload: null,
    products: [],
    expires_at: now,
    refund:
      status === 'refunded'
        ? { refund_amount: '12.00', refund_fee: '0.50', refunded_at: now }
        : null,
    link_id: null,
  }
}
