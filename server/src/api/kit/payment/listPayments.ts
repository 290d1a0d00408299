import type { PaymentList, PaymentListQuery } from '@florin/contract/payments.js'
import { type StorePaymentList, StorePaymentListQuery } from '@florin/contract/store.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../../core/calendar.ts'
import { parsePaymentId, paymentIdLowerBound, paymentIdTime } from '../../../core/ids.ts'
import { parseDecimal } from '../../../core/money.ts'
import { amountMessage } from '../../../core/newPayment.ts'
import { type PaymentView, paymentView, storePaymentView } from '../../../core/paymentView.ts'
import { parseQrCode } from '../../../core/qrCode.ts'
import { paymentSearches } from '../../../core/searchWords.ts'
import type { PageRequest, PaymentPage } from '../../../ops/readPayments.ts'
import type { Service } from '../../../service.ts'
import { NO_FILTER } from '../../../sql/paymentList.ts'
import { findPaymentsByQr } from '../../../sql/payments.ts'
import type { Merchant } from '../authenticate.ts'
import { type FieldProblem, inFieldOrder, problemOf, schemaProblems } from '../http/validation.ts'
import { pageQuery } from '../paging.ts'
import { refuseInvalid, succeed } from '../replies.ts'
import type { Call } from '../route.ts'
import { formatSearchCursor, parseSearchCursor, type SearchKind } from './searchCursor.ts'

type ListCall = Call<Merchant, { query: PaymentListQuery; data: PaymentList }>

export async function listPayments({ service, caller, query, request, reply }: ListCall) {
  const problems = schemaProblems(request)
  const page = pageRequest(caller, query, problems)
  if (problems.length > 0) return refuseQuery(reply, problems)
  const { payments, next_cursor } = await pageView(service, caller, {
    ...page,
    read: service.readPaymentPage,
    view: paymentView,
  })
  return succeed(reply, 'Payments', { payments, next_cursor })
}

type SearchCall = Call<Merchant, { query: StorePaymentListQuery; data: StorePaymentList }>

/** The list with more filters, for people and operators. `looked_until` shows the progress of a slow search. */
export async function searchPayments({ service, caller, query, request, reply }: SearchCall) {
  const problems = schemaProblems(request)
  const { search, kind, ...page } = storePageRequest(caller, query, problems)
  if (problems.length > 0) return refuseQuery(reply, problems)
  const list = await pageView(service, caller, {
    ...page,
    read: (request) => readStorePage(service, caller, { ...request, search, kind }),
    view: storeViewFor(caller),
  })
  return succeed(reply, 'Payments', list)
}

/** The view for people and operators. It has webhooks only for callers who may see them. */
export const storeViewFor = ({
  canSeeWebhooks,
}: Pick<Merchant, 'canSeeWebhooks'>): PaymentView<ReturnType<typeof storePaymentView>> =>
  canSeeWebhooks
    ? storePaymentView
    : (...details) => ({ ...storePaymentView(...details), webhook: null })

const refuseQuery = (reply: FastifyReply, problems: readonly FieldProblem[]) =>
  refuseInvalid(reply, inFieldOrder(Object.keys(StorePaymentListQuery.properties), problems))

export type StorePageRequest = PageRequest & {
  readonly search: string | null
  /** The kind of search that this page continues; null for the first page. */
  readonly kind: SearchKind | null
}
export type StorePage = PaymentPage & { readonly kind: SearchKind | null }

/** Parses the filters of `searchPayments`, and adds a problem for each invalid one. */
export function storePageRequest(
  caller: Merchant,
  { status, cursor, ...query }: StorePaymentListQuery,
  problems: FieldProblem[],
): StorePageRequest {
  const position = typeof cursor === 'string' ? parseSearchCursor(cursor) : null
  const rest = position === null ? {} : { cursor: position.rest }
  const page = pageRequest(caller, { ...query, ...rest }, problems)
  const filter = {
    ...page.filter,
    ...statusFilter(status),
    grossFrom: amountOf(caller, query, 'amount_from', problems),
    grossTo: amountOf(caller, query, 'amount_to', problems),
    payer: trimOrNull(query.payer),
  }
  return { ...page, filter, search: trimOrNull(query.search), kind: position?.kind ?? null }
}

/** A repeated parameter is a list, which is a problem that the schema reports. */
const trimOrNull = (text: unknown) => (typeof text === 'string' ? text.trim() || null : null)

/**
 * A search for an id or a code finds only that payment. Another search looks for the reference, then for words in the texts
 * (which include the reference) and in the payers, then for the amount. The first of these with a payment on its first page is
 * used for all pages. Words are also used if a later page may have a payment.
 */
export async function readStorePage(
  service: Service,
  caller: Merchant,
  { search, kind, ...page }: StorePageRequest,
): Promise<StorePage> {
  const exact = search === null ? undefined : await findExactly(service, caller, search)
  if (exact !== undefined) {
    return { records: exact === null ? [] : [exact], scannedTo: null, kind: null }
  }
  if (search === null) return { ...(await service.readPaymentPage(page)), kind: null }
  if (kind === 'reference' || (kind === null && page.range.referenceId === null)) {
    const range = { ...page.range, referenceId: search }
    const referenced = await service.readPaymentPage({ ...page, range })
    if (referenced.records.length > 0 || kind !== null) return { ...referenced, kind: 'reference' }
  }
  if (kind !== 'amount') {
    const found = await service.searchPaymentPage({ ...page, searches: paymentSearches(search) })
    const mayHaveMore = found.scannedTo !== null
    if (found.records.length > 0 || mayHaveMore || kind !== null) return { ...found, kind: 'words' }
  }
  // Many languages write a decimal comma.
  const amount = parseDecimal(search.replace(',', '.'), caller.store.currency)
  if (typeof amount !== 'bigint') return { records: [], scannedTo: null, kind: null }
  const filter = { ...page.filter, grossFrom: amount, grossTo: amount }
  return { ...(await service.readPaymentPage({ ...page, filter })), kind: 'amount' }
}

/** People and operators see a payment that the store cancelled as cancelled, not as expired. */
function statusFilter(status: StorePaymentListQuery['status']) {
  if (status === 'cancelled') return { status: 'expired', isCancelled: true } as const
  return { status: status ?? null, isCancelled: status === 'expired' ? false : null }
}

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
  const bounds = [idTo, cursor?.paymentId ?? null].filter((bound) => bound !== null).sort()
  return {
    range: {
      storeId: store.storeId,
      mode,
      referenceId: query.reference_id ?? null,
      linkId: query.link_id ?? null,
      idFrom,
      idBefore: bounds[0] ?? null,
    },
    filter: { ...NO_FILTER, status: query.status ?? null },
    limit: page.limit,
  }
}

type PageViewRequest<View> = PageRequest & {
  readonly read: (page: PageRequest) => Promise<PaymentPage & { readonly kind?: SearchKind | null }>
  readonly view: PaymentView<View>
}

async function pageView<View>(
  service: Service,
  { store }: Merchant,
  { read, view, ...page }: PageViewRequest<View>,
) {
  const { limit } = page
  const { records, scannedTo, kind = null } = await read({ ...page, limit: limit + 1 })
  const shown = records.slice(0, limit)
  const hasMore = records.length > limit
  const last = hasMore ? shown.at(-1)!.payment.paymentId : scannedTo
  return {
    payments: shown.map((record) => view(record, store, service.config.publicUrl)),
    next_cursor: last && formatSearchCursor(kind, last),
    looked_until: last && wireTime(paymentIdTime(last)),
  }
}

/** The payment with this id or QR code. Null if it doesn't exist, undefined if the text is neither. */
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
  query: Pick<StorePaymentListQuery, 'amount_from' | 'amount_to'>,
  field: 'amount_from' | 'amount_to',
  problems: FieldProblem[],
): bigint | null {
  const text = query[field]
  if (text === undefined || problems.some((problem) => problem.field === field)) return null
  const amount = parseDecimal(text, store.currency)
  if (typeof amount === 'bigint') return amount
  problems.push(problemOf(field, amountMessage(amount, store.currency)))
  return null
}
