import { PaymentAudit, PaymentLedger } from '@florin/contract/overview.js'
import { PaymentStatus, Refund, StatusQuery } from '@florin/contract/payments.js'
import {
  ChargeBody,
  ChargedPayment,
  ModeParams,
  RefundPreview,
  StorePayment,
  StorePaymentList,
  StorePaymentListQuery,
  StorePaymentParams,
} from '@florin/contract/store.js'
import {
  PaymentRequestBody,
  ReceiptBody,
  SentPaymentRequest,
  SentReceipt,
} from '@florin/contract/till.js'
import type { Locale } from '@florin/shared/locales.js'
import type { FastifyReply, preValidationHookHandler } from 'fastify'
import { isMailAddress } from '../../core/mail.ts'
import { formatMinor } from '../../core/money.ts'
import { mayOpen, PAGE_ROLES } from '../../core/pages.ts'
import type { Payment, PaymentKey } from '../../core/payment.ts'
import { paymentView } from '../../core/paymentView.ts'
import { capRefusal } from '../../core/person.ts'
import type { Store } from '../../core/store.ts'
import { auditPayment } from '../../ops/auditPayment.ts'
import { readTransfers } from '../../ops/books.ts'
import { previewRefund } from '../../ops/previewRefund.ts'
import { sendPaymentRequest } from '../../ops/sendPaymentRequest.ts'
import { sendReceipt } from '../../ops/sendReceipt.ts'
import type { Service } from '../../service.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { mailAddressProblem } from '../kit/http/validation.ts'
import { createPayment, dropExcessProducts } from '../kit/payment/createPayment.ts'
import { instructions } from '../kit/payment/instructions.ts'
import { searchPayments, storeViewFor } from '../kit/payment/listPayments.ts'
import {
  expirePayment,
  findPaymentKey,
  findRecord,
  getStatus,
  ownPaymentKey,
  refundPayment,
  refundProblems,
} from '../kit/payment/payments.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { paymentAuditView, transferLineView } from '../kit/views.ts'

/** Payments for people. They share handlers with the merchant API; the role takes the place of the API key. */
export function paymentRoutes(route: DeclareRoute<PersonInMode>): void {
  route('POST /store/:mode/payments', {
    operationId: 'chargeAtTill',
    summary: 'Create a payment at the till',
    description: 'Creates a pending payment. Unknown fields are ignored.',
    scope: 'create',
    takesIdempotencyKey: true,
    params: ModeParams,
    body: ChargeBody,
    data: ChargedPayment,
    hasOwnChecks: true,
    preValidation: prepareCharge,
    handler: (call) => createPayment(call, chargedView(call.service)),
  })

  route('GET /store/:mode/payments', {
    operationId: 'listStorePayments',
    summary: 'List payments',
    description: 'Lists payments, newest first. Repeat with `cursor` until `next_cursor` is null.',
    scope: 'read',
    params: ModeParams,
    query: StorePaymentListQuery,
    data: StorePaymentList,
    hasOwnChecks: true,
    handler: searchPayments,
  })

  route('GET /store/:mode/payments/:paymentId', {
    operationId: 'getStorePayment',
    summary: 'Get payment details',
    scope: 'read',
    params: StorePaymentParams,
    data: StorePayment,
    handler: async (call) => {
      const found = await findRecord(call)
      if (found === null) return refuse(call.reply, 'payment_unknown')
      const { service, caller, reply } = call
      const view = storeViewFor(caller)(found, caller.store, service.config.publicUrl)
      return succeed(reply, 'Payment details', view)
    },
  })

  route('GET /store/:mode/payments/:paymentId/status', {
    operationId: 'getStorePaymentStatus',
    summary: 'Get payment status',
    description:
      'Returns the status of a payment. With `wait`, responds when the payment is no longer pending, or after that many seconds.',
    scope: 'read',
    params: StorePaymentParams,
    query: StatusQuery,
    data: PaymentStatus,
    handler: (call) => getStatus(call, (reply) => refuse(reply, 'payment_unknown')),
  })

  route('POST /store/:mode/payments/:paymentId/expire', {
    operationId: 'expireStorePayment',
    summary: 'Expire a payment',
    description:
      'Expires a pending payment immediately, so that it cannot be paid. A body is ignored.',
    scope: 'create',
    params: StorePaymentParams,
    ignoresBody: true,
    data: PaymentStatus,
    errors: [409],
    handler: (call) => expirePayment(call, 'cancelled'),
  })

  route('GET /store/:mode/payments/:paymentId/refund', {
    operationId: 'previewRefund',
    summary: 'Preview a refund',
    description: 'Returns the amounts of a refund, and whether this person can make it.',
    scope: 'read',
    params: StorePaymentParams,
    data: RefundPreview,
    handler: getRefundPreview,
  })

  route('POST /store/:mode/payments/:paymentId/refund', {
    operationId: 'refundStorePayment',
    summary: 'Refund a payment',
    description:
      'Refunds a completed payment in full. A payment above the refund cap of the role is refused.',
    scope: 'refund',
    takesIdempotencyKey: true,
    params: StorePaymentParams,
    ignoresBody: true,
    data: Refund,
    check: refundProblems,
    handler: refundWithinCap,
  })

  route('POST /store/:mode/payments/:paymentId/receipt', {
    operationId: 'mailReceipt',
    summary: 'Email a receipt',
    description:
      'Emails the receipt of a paid payment to an address, at most 3 times per payment and 100 times a day per person. A store sends at most 1,000 receipts and requests a day. Not available in the sandbox.',
    scope: 'create',
    params: StorePaymentParams,
    body: ReceiptBody,
    data: SentReceipt,
    errors: [409],
    handler: mailReceipt,
  })

  route('POST /store/:mode/payments/:paymentId/request', {
    operationId: 'mailPaymentRequest',
    summary: 'Email a payment request',
    description:
      'Emails the link of a pending payment to an address, at most 3 times per payment and 100 times a day per person. A store sends at most 1,000 receipts and requests a day. The email is in the language of the store. Not available in the sandbox.',
    scope: 'create',
    params: StorePaymentParams,
    body: PaymentRequestBody,
    data: SentPaymentRequest,
    errors: [409],
    handler: mailRequest,
  })

  route('GET /store/:mode/payments/:paymentId/ledger', {
    operationId: 'listPaymentTransfers',
    summary: 'List the transfers of a payment',
    scope: 'read',
    // Not for cashiers, who don't see the balance either.
    roles: PAGE_ROLES.balance,
    params: StorePaymentParams,
    data: PaymentLedger,
    handler: listTransfers,
  })

  route('GET /store/:mode/payments/:paymentId/audit', {
    operationId: 'getPaymentAudit',
    summary: 'Get the actors of a payment',
    scope: 'read',
    roles: PAGE_ROLES.balance,
    params: StorePaymentParams,
    data: PaymentAudit,
    handler: async (call) => {
      const key = ownPaymentKey(call)
      const { database, readOfStore } = call.service
      const audit = key && (await readOfStore(key.storeId, () => auditPayment(database, key)))
      if (key === null || audit === null) return refuse(call.reply, 'payment_unknown')
      return succeed(call.reply, 'Payment audit', paymentAuditView(key.paymentId, audit))
    },
  })
}

/** A till sets fewer fields than a shop's server. The currency defaults to the store's. */
const prepareCharge: preValidationHookHandler = (request, reply, done) => {
  const { body } = request
  if (body === undefined) return void refuse(reply, 'unsupported_media_type')
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    dropExcessProducts(body)
    const known = Object.entries(body).filter(([name]) => name in ChargeBody.properties)
    const fields: { currency?: unknown } = Object.fromEntries(known)
    request.body = { ...fields, currency: fields.currency ?? request.merchant!.store.currency }
  }
  done()
}

const chargedView = (service: Service) => (payment: Payment, store: Store, locale: Locale) => ({
  status: 200,
  message: 'Payment created',
  data: {
    ...paymentView({ payment, payer: null, latestAttempt: null }, store, service.config.publicUrl),
    instructions: instructions(payment, store, locale),
  },
})

type PaymentCall<Data> = Call<PersonInMode, { params: StorePaymentParams; data: Data }>

/** Checks the cap before the transaction of the refund. This is safe, because the gross never changes. */
async function refundWithinCap(call: PaymentCall<Refund>): Promise<FastifyReply> {
  const { caller, reply } = call
  const found = await findRecord(call)
  if (found === null) return refuse(reply, 'payment_unknown')
  const reason = capRefusal(caller.role, caller.store, found.payment.gross)
  return reason === null ? refundPayment(call) : refuse(reply, reason)
}

async function getRefundPreview(call: PaymentCall<RefundPreview>): Promise<FastifyReply> {
  const { service, caller, reply } = call
  const { store, role } = caller
  const { database, outbox, readOfStore } = service
  const key = ownPaymentKey(call)
  const read = (key: PaymentKey) => previewRefund(database, outbox, { key, store, role })
  const preview = key && (await readOfStore(key.storeId, () => read(key)))
  if (preview === null) return refuse(reply, 'payment_unknown')
  const { payment, storeBalance, fee, waivedFee, reason } = preview
  const { gross, currency } = payment
  const money = (minor: bigint) => formatMinor(minor, currency)
  const storeDebit = waivedFee === null ? null : gross - waivedFee
  const canSeeBalance = mayOpen(role, 'balance')
  return succeed(reply, 'Refund preview', {
    payment_id: payment.paymentId,
    status: payment.status,
    currency,
    gross: money(gross),
    refund_fee: money(fee),
    refund_amount: money(gross - fee),
    store_balance: canSeeBalance ? money(storeBalance) : null,
    refund_fee_waived: waivedFee === null ? null : money(waivedFee),
    store_debit: storeDebit === null ? null : money(storeDebit),
    store_balance_after:
      storeDebit === null || !canSeeBalance ? null : money(storeBalance - storeDebit),
    can_refund: reason === null,
    reason,
  })
}

async function listTransfers(call: PaymentCall<PaymentLedger>): Promise<FastifyReply> {
  const { service, reply } = call
  const key = await findPaymentKey(call)
  if (key === null) return refuse(reply, 'payment_unknown')
  const { database, readOfStore } = service
  const lines = await readOfStore(key.storeId, () => readTransfers(database, key))
  return succeed(reply, 'Ledger', { lines: lines.map(transferLineView) })
}

async function mailReceipt(
  call: Call<PersonInMode, { params: StorePaymentParams; body: ReceiptBody; data: SentReceipt }>,
): Promise<FastifyReply> {
  const { service, caller, body, reply } = call
  const { database, mail } = service
  const { store, actor } = caller
  const key = ownPaymentKey(call)
  if (key === null) return refuse(reply, 'payment_unknown')
  if (!isMailAddress(body.email)) return refuseInvalid(reply, [mailAddressProblem('email')])
  const outcome = await sendReceipt(database, mail, actor, { key, store, to: body.email })
  if (outcome !== 'sent') return refuse(reply, outcome)
  return succeed(reply, 'Receipt queued', { payment_id: key.paymentId })
}

async function mailRequest(
  call: Call<
    PersonInMode,
    { params: StorePaymentParams; body: PaymentRequestBody; data: SentPaymentRequest }
  >,
): Promise<FastifyReply> {
  const { service, caller, body, reply } = call
  const { database, mail, config } = service
  const { store, actor } = caller
  const key = ownPaymentKey(call)
  if (key === null) return refuse(reply, 'payment_unknown')
  if (!isMailAddress(body.email)) return refuseInvalid(reply, [mailAddressProblem('email')])
  const url = `${config.publicUrl}/pay/${key.paymentId}`
  const outcome = await sendPaymentRequest(database, mail, actor, {
    key,
    store,
    to: body.email,
    url,
  })
  if (outcome !== 'sent') return refuse(reply, outcome)
  return succeed(reply, 'Request queued', { payment_id: key.paymentId })
}
