import { answer, errors, IdempotencyHeaders } from '@florin/contract/common.js'
import {
  Activity,
  ActivityQuery,
  PayBody,
  PaymentPreview,
  QrParams,
  Receipt,
  Wallet as WalletSchema,
} from '@florin/contract/wallet.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { parseTime, wireTime } from '../../core/calendar.ts'
import { walletAccount } from '../../core/ledger.ts'
import { formatMinor } from '../../core/money.ts'
import { decidePay, type Payment } from '../../core/payment.ts'
import { productView, qrCodeOf, requestAmountView, storeProfile } from '../../core/paymentView.ts'
import { parseQrCode } from '../../core/qrCode.ts'
import type { Store } from '../../core/store.ts'
import type { Service } from '../../service.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { databaseTime } from '../../sql/locks.ts'
import { findPaymentsByQr } from '../../sql/payments.ts'
import {
  type ActivityPosition,
  findWallet,
  isLockedByOperator,
  listActivity,
  type Wallet,
} from '../../sql/wallets.ts'
import { WALLET_DOCS as docs } from '../kit/audiences.ts'
import type { Authenticator } from '../kit/authenticate.ts'
import { acceptJson } from '../kit/bodies.ts'
import { keyProblem, onceOf } from '../kit/idempotency.ts'
import { type ListQuery, pageQuery } from '../kit/paging.ts'
import { refuse, refuseInvalid, refusePay, sendJson, sendText, succeed } from '../kit/replies.ts'
import { type FieldProblem, schemaProblems } from '../kit/validation.ts'
import { activityView, receiptView, walletView } from '../kit/views.ts'

/** What a payer's wallet calls. */
export async function walletRoutes(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  acceptJson(app)
  const onRequest = authenticate.wallet

  app.get(
    '/wallet/me',
    {
      onRequest,
      schema: {
        ...docs,
        operationId: 'getWallet',
        summary: 'Profile and balances',
        response: { 200: answer(WalletSchema), ...errors() },
      },
    },
    async (request, reply) => {
      const wallet = await walletOf(service, request)
      const balances = await findWalletBalances(service.database, [wallet.walletId])
      return succeed(reply, 'Wallet', walletView(wallet, balances))
    },
  )

  app.get(
    '/wallet/activity',
    {
      onRequest,
      schema: {
        ...docs,
        operationId: 'getActivity',
        summary: 'Payments, refunds and top-ups, newest first',
        querystring: ActivityQuery,
        response: { 200: answer(Activity), ...errors(400) },
      },
    },
    (request, reply) => getActivity(service, request, reply),
  )

  app.get(
    '/wallet/payment/:qrCode',
    {
      onRequest,
      schema: {
        ...docs,
        operationId: 'previewPayment',
        summary: 'What a scanned code asks for, and whether this wallet can pay it',
        params: QrParams,
        response: { 200: answer(PaymentPreview), ...errors(400) },
      },
    },
    (request, reply) => previewPayment(service, request, reply),
  )

  app.post(
    '/wallet/payment/:qrCode/pay',
    {
      onRequest,
      attachValidation: true,
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'payPayment',
        summary: 'Pay from the balance',
        headers: IdempotencyHeaders,
        params: QrParams,
        body: PayBody,
        response: { 200: answer(Receipt), ...errors(400, 402, 409, 410, 413, 415, 422) },
      },
      preValidation: (request, _reply, done) => {
        // Nothing has to be said to pay, so nothing has to be sent.
        request.body ??= {}
        done()
      },
    },
    (request, reply) => payPayment(service, request, reply),
  )
}

async function walletOf(service: Service, request: FastifyRequest): Promise<Wallet> {
  const wallet = await findWallet(service.database, request.session!.walletId)
  return wallet!
}

async function getActivity(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const problems: FieldProblem[] = []
  const asked = pageQuery(request.query as ListQuery, problems)
  const limit = asked.limit
  const before = asked.cursor(parsePosition)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { walletId } = request.session!
  const page = await listActivity(service.database, { walletId, before, limit: limit + 1 })
  const shown = page.slice(0, limit)
  return succeed(reply, 'Activity', {
    activity: shown.map((activity) => activityView(activity, walletAccount(walletId))),
    next_cursor: page.length > limit ? formatPosition(shown.at(-1)!) : null,
  })
}

export const formatPosition = ({ at, reference, kind }: ActivityPosition) =>
  `${at.toISOString()}~${reference}~${kind}`

export function parsePosition(cursor: string): ActivityPosition | null {
  const match = /^([0-9TZ:.-]{20,30})~([a-z0-9_]{1,40})~([a-z_]{1,20})$/.exec(cursor)
  const at = match && parseTime(match[1]!)
  return at && match ? { at, reference: match[2]!, kind: match[3]! } : null
}

/** The payment behind a typed or scanned number, if it is one in this wallet's mode. */
async function readCode(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const code = parseQrCode((request.params as { qrCode: string }).qrCode)
  if (typeof code === 'string') {
    const message =
      code === 'malformed'
        ? 'qr_code must be the 27 digits of a payment code'
        : 'qr_code has a mistyped digit. Check the number and try again.'
    refuseInvalid(reply, [{ field: 'qr_code', message }])
    return null
  }
  const store = await service.stores.get(code.storeId)
  if (code.mode !== request.session!.mode || store === null) {
    refuse(reply, 'payment_unknown')
    return null
  }
  return { key: { mode: code.mode, storeId: code.storeId, qrNumber: code.number }, store }
}

async function previewPayment(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const scanned = await readCode(service, request, reply)
  if (scanned === null) return reply
  const { key, store } = scanned
  const wallet = await walletOf(service, request)
  const [row] = await findPaymentsByQr(service.database, [key])
  const found = row && (await service.readPayment(row))
  if (!found) return refuse(reply, 'payment_unknown')
  return succeed(reply, 'Payment preview', await previewView(service, found.payment, wallet, store))
}

async function previewView(service: Service, payment: Payment, wallet: Wallet, store: Store) {
  const balances = await findWalletBalances(service.database, [wallet.walletId])
  const balance = balances.find((row) => row.currency === payment.currency)?.balance ?? 0n
  const at = await databaseTime(service.database)
  const reason = whyNot(payment, { wallet, store, balance, at })
  const leftMs = payment.status === 'pending' ? payment.expiresAt.getTime() - at.getTime() : 0
  return {
    payment_id: payment.paymentId,
    qr_code: qrCodeOf(payment),
    status: payment.status,
    amount: formatMinor(payment.gross, payment.currency),
    currency: payment.currency,
    request_amount: requestAmountView(payment),
    store: storeProfile(store, service.config.publicUrl),
    reference_note: payment.referenceNote,
    products: payment.products.map((product) => productView(product, payment)),
    expires_at: wireTime(payment.expiresAt),
    seconds_left: Math.max(0, Math.ceil(leftMs / 1000)),
    balance: formatMinor(balance, payment.currency),
    can_pay: reason === null,
    reason,
  }
}

/** The preview decides as paying would, so that the two never disagree. */
function whyNot(
  payment: Payment,
  { wallet, store, balance, at }: { wallet: Wallet; store: Store; balance: bigint; at: Date },
): string | null {
  const decision = decidePay({
    payment,
    walletId: wallet.walletId,
    isWalletLocked: isLockedByOperator(wallet),
    storeSuspended: store.suspended,
    balance,
    recentFailures: 0,
    donation: undefined,
    at,
  })
  switch (decision.kind) {
    case 'pay':
      return null
    case 'fail':
      return 'insufficient_balance'
    case 'paid_already':
      return 'paid_already'
    case 'refuse':
      return decision.reason
  }
}

async function payPayment(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const scanned = await readCode(service, request, reply)
  if (scanned === null) return reply
  const badKey = keyProblem(request)
  const problems = [...schemaProblems(request), ...(badKey ? [badKey] : [])]
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { key, store } = scanned
  const { donation_amount } = request.body as { donation_amount?: number | null }
  const body = (payment: Payment) => ({
    status: 200,
    message: 'Payment completed',
    data: receiptView(payment, store, service.config.publicUrl),
  })
  const result = await service.payPayment({
    walletId: request.session!.walletId,
    mode: key.mode,
    qrNumber: key.qrNumber,
    store,
    donation: donation_amount ?? undefined,
    once: onceOf(request, (payment) => JSON.stringify(body(payment))),
    sandbox: null,
  })
  switch (result.kind) {
    case 'paid':
    case 'paid_already':
      return sendJson(reply, 200, body(result.payment))
    case 'replayed':
      return sendText(reply.header('idempotent-replayed', 'true'), 200, result.answer)
    case 'key_reused':
      return refuse(reply, 'key_reused')
    case 'failed':
      return refuse(reply, 'insufficient_balance')
    case 'refused':
      return refusePay(reply, result.reason)
  }
}
