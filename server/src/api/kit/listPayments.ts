import type { PaymentList, PaymentListQuery } from '@florin/contract/payments.js'
import { type StorePaymentList, StorePaymentListQuery } from '@florin/contract/store.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { parsePaymentId, paymentIdLowerBound, paymentIdTime } from '../../core/ids.ts'
import { parseDecimal } from '../../core/money.ts'
import { amountMessage } from '../../core/newPayment.ts'
import { type PaymentRecord, paymentView } from '../../core/paymentView.ts'
import { parseQrCode } from '../../core/qrCode.ts'
import type { PageRequest } from '../../ops/readPayments.ts'
import type { Service } from '../../service.ts'
import { NO_FILTER } from '../../sql/paymentList.ts'
import { findPaymentsByQr } from '../../sql/payments.ts'
import type { Merchant } from './authenticate.ts'
import { pageQuery } from './paging.ts'
import { refuseInvalid, succeed } from './replies.ts'
import type { Call } from './route.ts'
import { type FieldProblem, inFieldOrder, schemaProblems } from './validation.ts'

type ListCall = Call<Merchant, { query: PaymentListQuery; data: PaymentList }>

export async function listPayments({ service, caller, query, request, reply }: ListCall) {
  const problems = schemaProblems(request)
  const page = pageRequest(caller, query, problems)
  if (problems.length > 0) return refuseQuery(reply, problems)
  const { payments, next_cursor } = await readList(service, caller, page)
  return succeed(reply, 'Payments', { payments, next_cursor })
}

type SearchCall = Call<Merchant, { query: StorePaymentListQuery; data: StorePaymentList }>

/** The list with more filters, for people. `looked_until` shows the progress of a slow search. */
export async function searchPayments({ service, caller, query, request, reply }: SearchCall) {
  const problems = schemaProblems(request)
  const { range, filter, limit } = pageRequest(caller, query, problems)
  const grossFrom = amountOf(caller, query, 'amount_from', problems)
  const grossTo = amountOf(caller, query, 'amount_to', problems)
  if (problems.length > 0) return refuseQuery(reply, problems)

  const search = query.search?.trim() || null
  const exact = search === null ? undefined : await findExactly(service, caller, search)
  if (exact !== undefined) {
    const payments = exact === null ? [] : [viewOf(service, caller, exact)]
    return succeed(reply, 'Payments', { payments, next_cursor: null, looked_until: null })
  }
  const list = await readList(service, caller, {
    range: { ...range, referenceId: search ?? range.referenceId },
    filter: { ...filter, grossFrom, grossTo, payer: query.payer?.trim() || null },
    limit,
  })
  return succeed(reply, 'Payments', list)
}

const refuseQuery = (reply: FastifyReply, problems: readonly FieldProblem[]) =>
  refuseInvalid(reply, inFieldOrder(Object.keys(StorePaymentListQuery.properties), problems))

function pageRequest(
  { store, mode }: Merchant,
  query: PaymentListQuery,
  problems: FieldProblem[],
): PageRequest {
  const page = pageQuery(query, problems)
  // Ids are ordered by time, so a time is a bound on the id.
  const bound = (at: Date | null) => (at === null ? null : paymentIdLowerBound(at))
  const idFrom = bound(page.time('created_from'))
  const idTo = bound(page.time('created_to'))
  const cursor = page.cursor(parsePaymentId)
  const bounds = [idTo, cursor?.paymentId ?? null].filter((one) => one !== null).sort()
  return {
    range: {
      storeId: store.storeId,
      mode,
      referenceId: query.reference_id ?? null,
      idFrom,
      idBefore: bounds[0] ?? null,
    },
    filter: { ...NO_FILTER, status: query.status ?? null },
    limit: page.limit,
  }
}

async function readList(service: Service, merchant: Merchant, page: PageRequest) {
  const { limit } = page
  const { records, scannedTo } = await service.readPage({ ...page, limit: limit + 1 })
  const shown = records.slice(0, limit)
  const isFull = records.length > limit
  const last = isFull ? shown.at(-1)!.payment.paymentId : scannedTo
  return {
    payments: shown.map((one) => viewOf(service, merchant, one)),
    next_cursor: last,
    looked_until: last && wireTime(paymentIdTime(last)),
  }
}

const viewOf = (service: Service, { store }: Merchant, record: PaymentRecord) =>
  paymentView(record, store, service.config.publicUrl)

/** The payment with this id or QR number. Null if it doesn't exist, undefined if the text is neither. */
async function findExactly(service: Service, { store, mode }: Merchant, text: string) {
  const { storeId } = store
  const id = parsePaymentId(text)
  if (id !== null) return id.storeId === storeId ? service.readPayment({ ...id, mode }) : null
  const code = parseQrCode(text)
  if (typeof code === 'string') return undefined
  if (code.storeId !== storeId || code.mode !== mode) return null
  const key = { storeId, mode, qrNumber: code.number }
  const [payment] = await findPaymentsByQr(service.database, [key])
  return payment ? service.readPayment(payment) : null
}

function amountOf(
  { store }: Merchant,
  query: StorePaymentListQuery,
  field: 'amount_from' | 'amount_to',
  problems: FieldProblem[],
): bigint | null {
  const text = query[field]
  if (text === undefined || problems.some((one) => one.field === field)) return null
  const amount = parseDecimal(text, store.currency)
  if (typeof amount === 'bigint') return amount
  problems.push({ field, message: `${field} ${amountMessage(amount, store.currency)}` })
  return null
}
