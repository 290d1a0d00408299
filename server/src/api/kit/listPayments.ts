import type { FastifyReply, FastifyRequest } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { parsePaymentId, paymentIdLowerBound, paymentIdTime } from '../../core/ids.ts'
import { parseDecimal } from '../../core/money.ts'
import { amountMessage } from '../../core/newPayment.ts'
import type { Status } from '../../core/payment.ts'
import { type PaymentRecord, paymentView } from '../../core/paymentView.ts'
import { parseQrCode } from '../../core/qrCode.ts'
import type { PageRequest } from '../../ops/readPayments.ts'
import type { Service } from '../../service.ts'
import { NO_FILTER } from '../../sql/paymentList.ts'
import { findPaymentsByQr } from '../../sql/payments.ts'
import { type Merchant, merchantOf } from './authenticate.ts'
import { refuseInvalid, succeed } from './errorReply.ts'
import { pageQuery } from './paging.ts'
import { type FieldProblem, schemaProblems } from './validation.ts'

type ListFields = {
  status?: Status
  reference_id?: string
  created_from?: string
  created_to?: string
  limit?: string
  cursor?: string
}
type StoreListFields = ListFields & {
  amount_from?: string
  amount_to?: string
  payer?: string
  search?: string
}

/** What a shop's server asks. */
export async function listPayments(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const problems = schemaProblems(request)
  const asked = pageRequest(merchantOf(request), request.query as ListFields, problems)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { payments, next_cursor } = await readList(service, merchantOf(request), asked)
  return succeed(reply, 'Payments', { payments, next_cursor })
}

/** What people ask, who look for more, and want to see how far the search has come. */
export async function searchPayments(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const merchant = merchantOf(request)
  const query = request.query as StoreListFields
  const problems = schemaProblems(request)
  const amount = (field: 'amount_from' | 'amount_to') => amountOf(merchant, query, field, problems)
  const { range, filter, limit } = pageRequest(merchant, query, problems)
  const more = { grossFrom: amount('amount_from'), grossTo: amount('amount_to') }
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const search = query.search?.trim() || null
  const one = search === null ? undefined : await findExactly(service, merchant, search)
  if (one !== undefined) {
    const payments = one === null ? [] : [viewOf(service, merchant, one)]
    return succeed(reply, 'Payments', { payments, next_cursor: null, looked_until: null })
  }
  const list = await readList(service, merchant, {
    range: { ...range, referenceId: search ?? range.referenceId },
    filter: { ...filter, ...more, payer: query.payer?.trim() || null },
    limit,
  })
  return succeed(reply, 'Payments', list)
}

function pageRequest(
  { store, mode }: Merchant,
  query: ListFields,
  problems: FieldProblem[],
): PageRequest {
  const asked = pageQuery(query, problems)
  // Ids are ordered by time, so a time is a bound on the id.
  const bound = (at: Date | null) => (at === null ? null : paymentIdLowerBound(at))
  const idFrom = bound(asked.time('created_from'))
  const idTo = bound(asked.time('created_to'))
  const limit = asked.limit()
  const cursor = asked.cursor(parsePaymentId)
  const bounds = [idTo, cursor?.paymentId ?? null].filter((one) => one !== null).sort()
  const referenceId = query.reference_id ?? null
  return {
    range: {
      storeId: store.storeId,
      mode,
      referenceId,
      idFrom,
      idBefore: bounds[0] ?? null,
    },
    filter: { ...NO_FILTER, status: query.status ?? null },
    limit,
  }
}

async function readList(service: Service, merchant: Merchant, asked: PageRequest) {
  const { limit } = asked
  const { records, scannedTo } = await service.readPage({ ...asked, limit: limit + 1 })
  const shown = records.slice(0, limit)
  const isFull = records.length > limit
  const last = isFull ? shown.at(-1)!.payment.paymentId : scannedTo
  return {
    payments: shown.map((one) => viewOf(service, merchant, one)),
    next_cursor: last,
    looked_until: last && wireTime(paymentIdTime(last)),
  }
}

const viewOf = (service: Service, { store }: Merchant, story: PaymentRecord) =>
  paymentView(story, store, service.config.publicUrl)

/** What a payment's id or QR number names: null for a payment that is not there, undefined for any other text. */
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
  query: StoreListFields,
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
