import { PayBody, PaymentPreview, QrParams, Receipt, Wallet } from '@florin/contract/wallet.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import type { Payment } from '../../core/payment.ts'
import { productView, qrCodeOf, requestAmountView, storeProfile } from '../../core/paymentView.ts'
import { parseQrCode } from '../../core/qrCode.ts'
import { returnLink } from '../../core/returnUrl.ts'
import type { Store } from '../../core/store.ts'
import { type PaymentPreview as Preview, previewPayment } from '../../ops/previewPayment.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { findWallet } from '../../sql/wallets.ts'
import { payWithPin } from '../kit/account/pins.ts'
import type { WalletSession } from '../kit/authenticate.ts'
import { sendReplayed } from '../kit/idempotency.ts'
import { refuse, refuseInvalid, refusePay, sendJson, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { walletView } from '../kit/views.ts'
import { paidResponse, payKeyOf, payProblems } from './paying.ts'

export function paymentRoutes(route: DeclareRoute<WalletSession>): void {
  route('GET /wallet/me', {
    operationId: 'getWallet',
    summary: 'Get the wallet',
    description: 'Returns the profile and the balances of the wallet.',
    data: Wallet,
    handler: async ({ service, caller, reply }) => {
      const wallet = (await findWallet(service.database, caller.walletId))!
      const balances = await findWalletBalances(service.database, [wallet.walletId])
      return succeed(reply, 'Wallet', walletView(wallet, balances))
    },
  })

  route('GET /wallet/payment/:qrCode', {
    operationId: 'previewPayment',
    summary: 'Preview a payment',
    description: 'Returns the payment of a scanned code, and whether this wallet can pay it.',
    params: QrParams,
    data: PaymentPreview,
    errors: [400],
    handler: getPreview,
  })

  route('POST /wallet/payment/:qrCode/pay', {
    operationId: 'payPayment',
    summary: 'Pay a payment',
    description:
      'Pays from the balance of the wallet. Above a PIN limit, a request without `pin` gets 428, and the payment stays pending.',
    takesIdempotencyKey: true,
    params: QrParams,
    body: PayBody,
    hasOptionalBody: true,
    data: Receipt,
    errors: [402, 410, 428],
    // An invalid code or an unknown store takes precedence over an invalid body.
    hasOwnChecks: true,
    handler: pay,
  })
}

type QrCall<Data = unknown> = Call<WalletSession, { params: QrParams; data: Data }>

/** The store and key of a code in the mode of the wallet, or null if it refused the request. */
async function readCode({ service, caller, params, reply }: QrCall) {
  const code = parseQrCode(params.qrCode)
  if (typeof code === 'string') {
    const message =
      code === 'malformed'
        ? 'qr_code must be the 27 digits of a payment code'
        : 'qr_code has a mistyped digit. Check the number and try again.'
    refuseInvalid(reply, [{ field: 'qr_code', message }])
    return null
  }
  const { storeId, mode, number: qrNumber } = code
  const store = await service.stores.get(storeId)
  if (mode !== caller.mode || store === null) {
    refuse(reply, 'payment_unknown')
    return null
  }
  return { key: { storeId, mode, qrNumber }, store }
}

async function getPreview(call: QrCall<PaymentPreview>): Promise<FastifyReply> {
  const { service, caller, reply } = call
  const scanned = await readCode(call)
  if (scanned === null) return reply
  const { walletId } = caller
  const { database, outbox, config } = service
  const pinLimits = await service.pinLimits.get('all')
  const preview = await previewPayment(database, outbox, { walletId, pinLimits, ...scanned })
  if (preview === null) return refuse(reply, 'payment_unknown')
  const view = previewView(preview, scanned.store, config.publicUrl)
  return succeed(reply, 'Payment preview', view)
}

function previewView(preview: Preview, store: Store, publicUrl: string) {
  const { payment, balance, at, isPinNeeded, reason } = preview
  const { currency, expiresAt } = payment
  const leftMs = payment.status === 'pending' ? expiresAt.getTime() - at.getTime() : 0
  return {
    payment_id: payment.paymentId,
    qr_code: qrCodeOf(payment),
    status: payment.status,
    amount: formatMinor(payment.gross, currency),
    currency,
    request_amount: requestAmountView(payment),
    store_id: payment.storeId,
    store: storeProfile(store, publicUrl),
    reference_note: payment.referenceNote,
    products: payment.products.map((product) => productView(product, payment.requestCurrency)),
    expires_at: wireTime(expiresAt),
    seconds_left: Math.max(0, Math.ceil(leftMs / 1000)),
    balance: formatMinor(balance, currency),
    pin_needed: isPinNeeded,
    can_pay: reason === null,
    reason,
    return_url: payment.status === 'pending' ? null : returnLink(payment),
  }
}

type PayCall = Call<WalletSession, { params: QrParams; body: PayBody; data: Receipt }>

async function pay(call: PayCall): Promise<FastifyReply> {
  const { service, caller, body, request, reply } = call
  const scanned = await readCode(call)
  if (scanned === null) return reply
  const problems = payProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { key, store } = scanned
  const response = (payment: Payment) => paidResponse(payment, store, service.config.publicUrl)
  const serialize = (payment: Payment) => JSON.stringify(response(payment))
  const attempt = {
    walletId: caller.walletId,
    mode: key.mode,
    qrNumber: key.qrNumber,
    store,
    donation: body.donation_amount ?? undefined,
    idempotencyKey: payKeyOf(request, body, serialize),
    pinLimits: await service.pinLimits.get('all'),
    sandbox: null,
  }
  const result = await payWithPin(call, body.pin, (isPinVerified) =>
    service.payPayment({ ...attempt, isPinVerified }),
  )
  if (result === null) return reply
  switch (result.kind) {
    case 'paid':
    case 'paid_already':
      return sendJson(reply, 200, response(result.payment))
    case 'replayed':
      return sendReplayed(reply, result.response)
    case 'key_reused':
      return refuse(reply, 'key_reused')
    case 'failed':
      return refuse(reply, 'insufficient_balance')
    case 'refused':
      return refusePay(reply, result.reason)
  }
}
