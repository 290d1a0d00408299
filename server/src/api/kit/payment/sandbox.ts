import type { PaymentStatus } from '@florin/contract/payments.js'
import type { SandboxPayBody } from '@florin/contract/sandbox.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NO_PIN_LIMITS } from '../../../core/pinLimits.ts'
import type { Merchant } from '../authenticate.ts'
import { refuse, refusePay, succeed } from '../replies.ts'
import type { Call } from '../route.ts'
import { ownPaymentKey } from './payments.ts'

/** Hook for routes that work only in the sandbox. */
export async function refuseLive({ merchant }: FastifyRequest, reply: FastifyReply) {
  if (merchant!.mode !== 'sandbox') return refuse(reply, 'sandbox_only')
}

/** Pays or fails a sandbox payment, as `outcome` says. The store's built-in wallet pays, and never runs out of money. */
export async function payFromSandboxWallet(
  call: Call<
    Merchant,
    { params: { paymentId: string }; body: SandboxPayBody; data: PaymentStatus }
  >,
): Promise<FastifyReply> {
  const { service, caller, body, reply } = call
  const key = ownPaymentKey(call)
  const found = key && (await service.readPayment(key))
  if (found === null) return refuse(reply, 'payment_unknown')
  if (found.payment.status !== 'pending') return refuse(reply, 'not_pending')

  const { store } = caller
  const { mode, paymentId, qrNumber } = found.payment
  const result = await service.payPayment({
    store,
    mode,
    qrNumber,
    walletId: store.sandboxWalletId,
    donation: body.donation_amount ?? undefined,
    idempotencyKey: null,
    pinLimits: NO_PIN_LIMITS,
    isPinVerified: true,
    sandbox: { outcome: body.outcome ?? 'completed' },
  })
  switch (result.kind) {
    case 'paid':
      return succeed(reply, 'Payment completed', { payment_id: paymentId, status: 'completed' })
    case 'failed':
      return succeed(reply, 'Payment failed', { payment_id: paymentId, status: 'failed' })
    case 'refused':
      return result.reason === 'donation_malformed' || result.reason === 'donation_not_covered'
        ? refusePay(reply, result.reason)
        : refuse(reply, 'not_pending')
    default:
      return refuse(reply, 'not_pending')
  }
}
