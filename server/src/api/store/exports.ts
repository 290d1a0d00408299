import { DaysQuery } from '@florin/contract/books.js'
import { media } from '@florin/contract/common.js'
import { ModeParams, PaymentExportQuery } from '@florin/contract/store.js'
import type { FastifyReply } from 'fastify'
import { deltaOf } from '../../core/books.ts'
import {
  firstDayFrom,
  localTime,
  startOfLocalDay,
  type TimeRange,
  wireTime,
} from '../../core/calendar.ts'
import { type Mode, paymentIdLowerBound } from '../../core/ids.ts'
import { formatMinor, formatRate } from '../../core/money.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import { isCancelled, type Payment } from '../../core/payment.ts'
import type { PaymentRecord } from '../../core/paymentView.ts'
import type { Store } from '../../core/store.ts'
import { type BalancedLine, exportLines, readStatementTotals } from '../../ops/books.ts'
import type { Service } from '../../service.ts'
import { findStoreCutoff } from '../../sql/archivedSums.ts'
import { countPayments } from '../../sql/paymentList.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { type Columns, type CsvFile, csvHeader, csvLines, type SendCsv } from '../kit/csvFiles.ts'
import { daysOf, periodOf } from '../kit/days.ts'
import { type FieldProblem, problemOf, schemaProblems } from '../kit/http/validation.ts'
import {
  readStorePage,
  type StorePage,
  type StorePageRequest,
  storePageRequest,
} from '../kit/payment/listPayments.ts'
import { refuseInvalid } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

type ExportRange = { readonly store: Store; readonly mode: Mode; readonly period: TimeRange }
type PaymentExportRange = ExportRange & {
  readonly caller: PersonInMode
  readonly filters: StorePageRequest
}
type ExportCall = Call<PersonInMode, { query: DaysQuery }>
type Reader = (service: Service, range: ExportRange) => Promise<CsvFile>

export function exportRoutes(route: DeclareRoute<PersonInMode>, sendCsv: SendCsv): void {
  route('GET /store/:mode/statement.csv', {
    operationId: 'exportStatement',
    summary: 'Export the statement',
    description:
      'Returns the lines of the statement as a CSV file, oldest first. If lines are archived, the first day is by default the first one after them.',
    roles: PAGE_ROLES.balance,
    params: ModeParams,
    query: DaysQuery,
    hasOwnChecks: true,
    response: media('A CSV file (RFC 4180). The florin-rows header has its row count.', 'text/csv'),
    handler: async (call) => {
      const problems = schemaProblems(call.request)
      const query = await unarchivedDays(call, problems)
      return sendExport({ ...call, query }, 'statement', problems, exportStatement)
    },
  })

  route('GET /store/:mode/payments.csv', {
    operationId: 'exportPayments',
    summary: 'Export payments',
    description:
      'Returns payments by time of creation as a CSV file, newest first. The filters are those of the list.',
    roles: PAGE_ROLES.balance,
    params: ModeParams,
    query: PaymentExportQuery,
    hasOwnChecks: true,
    response: media(
      'A CSV file (RFC 4180). Without a filter, the florin-rows header has its row count.',
      'text/csv',
    ),
    handler: (call) => {
      const problems = schemaProblems(call.request)
      const filters = storePageRequest(call.caller, call.query, problems)
      return sendExport(call, 'payments', problems, (service, range) =>
        exportPayments(service, { ...range, caller: call.caller, filters }),
      )
    },
  })

  async function sendExport(
    { service, caller, query, request, reply }: ExportCall,
    file: string,
    problems: FieldProblem[],
    read: Reader,
  ): Promise<FastifyReply> {
    const { store, mode } = caller
    const days = await daysOf(service, store, query, problems)
    if (problems.length > 0) return refuseInvalid(reply, problems)
    const name = `${file}-${mode}-${days.from}-${days.to}.csv`
    const period = periodOf(days, store.timeZone)
    return sendCsv({ request, reply }, name, () => read(service, { store, mode, period }))
  }
}

/** A file must not lack lines, so it begins after the archived ones. */
async function unarchivedDays(
  { service, caller, query }: ExportCall,
  problems: FieldProblem[],
): Promise<DaysQuery> {
  const { timeZone } = caller.store
  const cutoff = await findStoreCutoff(service.database, caller)
  if (cutoff === null) return query
  const first = firstDayFrom(cutoff, timeZone)
  for (const field of ['from', 'to'] as const) {
    const day = query[field]
    if (day === undefined || day >= first || startOfLocalDay(day, timeZone) === null) continue
    problems.push(problemOf(field, `must be ${first} or later: earlier lines are archived`))
  }
  return { from: first, ...query }
}

/** Incoming and outgoing amounts have separate columns, so that no amount has a sign. */
async function exportStatement(
  service: Service,
  { store, mode, period }: ExportRange,
): Promise<CsvFile> {
  const { storeId, timeZone, currency } = store
  const owner = { storeId, mode }
  const { lines: rows, balance } = await readStatementTotals(service.database, owner, period)
  const money = (minor: bigint) => formatMinor(minor, currency)
  const columns: Columns<BalancedLine> = {
    at_utc: (line) => wireTime(line.at),
    at_local: (line) => localTime(line.at, timeZone),
    time_zone: () => timeZone,
    kind: (line) => line.kind,
    reference: (line) => line.reference,
    note: (line) => line.note,
    money_in: (line) => (deltaOf(line) > 0n ? money(line.amount) : null),
    money_out: (line) => (deltaOf(line) > 0n ? null : money(line.amount)),
    balance: (line) => money(line.balance),
    currency: () => currency,
  }

  async function* pages() {
    yield csvHeader(columns)
    const exported = exportLines(service.database, owner, { ...period, balance })
    for (;;) {
      const { value: lines } = await service.downloadReads.readOfStore(storeId, () =>
        exported.next(),
      )
      if (lines === undefined) return
      yield csvLines(lines, columns)
    }
  }
  return { rows, pages: pages() }
}

const PAGE_SIZE = 200

async function exportPayments(
  service: Service,
  { store, mode, period, caller, filters }: PaymentExportRange,
): Promise<CsvFile> {
  const range = {
    storeId: store.storeId,
    mode,
    referenceId: filters.range.referenceId,
    linkId: filters.range.linkId,
    idFrom: paymentIdLowerBound(period.from),
    idBefore: paymentIdLowerBound(period.to),
  }
  const { referenceId, linkId } = range
  const conditions = [filters.search, referenceId, linkId, ...Object.values(filters.filter)]
  const isFiltered = conditions.some((condition) => condition !== null)
  const count = () => countPayments(service.database, range)
  const rows = isFiltered ? null : await service.readOfStore(store.storeId, count, { isSlow: true })
  const columns = paymentColumns(store)

  const withDownloadLimits = { ...service, ...service.downloadReads }
  async function* pages() {
    yield csvHeader(columns)
    let { kind } = filters
    for (let idBefore: string | null = range.idBefore; idBefore !== null; ) {
      // Read one more to know whether there is another page.
      const request = { ...filters, kind, range: { ...range, idBefore }, limit: PAGE_SIZE + 1 }
      const page: StorePage = await readStorePage(withDownloadLimits, caller, request)
      const { records, scannedTo } = page
      kind = page.kind
      const written = records.slice(0, PAGE_SIZE)
      if (written.length > 0) yield csvLines(written, columns)
      const hasMore = records.length > PAGE_SIZE
      idBefore = hasMore ? written.at(-1)!.payment.paymentId : scannedTo
    }
  }
  return { rows, pages: pages() }
}

function paymentColumns({ timeZone, currency }: Store): Columns<PaymentRecord> {
  const money = (minor: bigint) => formatMinor(minor, currency)
  const formatLocal = (at: Date | null) => at && localTime(at, timeZone)
  const formatRefund = ({ refundFee }: Payment, amount: (fee: bigint) => bigint) =>
    refundFee === null ? null : money(amount(refundFee))
  return {
    payment_id: ({ payment }) => payment.paymentId,
    status: ({ payment }) => payment.status,
    created_at_utc: ({ payment }) => wireTime(payment.createdAt),
    created_at_local: ({ payment }) => formatLocal(payment.createdAt),
    time_zone: () => timeZone,
    gross: ({ payment }) => money(payment.gross),
    fee: ({ payment }) => money(payment.fee),
    net: ({ payment }) => money(payment.gross - payment.fee),
    currency: () => currency,
    request_amount: ({ payment }) => formatMinor(payment.requestAmount, payment.requestCurrency),
    request_currency: ({ payment }) => payment.requestCurrency,
    conversion_rate: ({ payment }) => formatRate(payment.conversionRate),
    donation: ({ payment }) => money(payment.donation),
    settled_at_utc: ({ payment }) => payment.settledAt && wireTime(payment.settledAt),
    settled_at_local: ({ payment }) => formatLocal(payment.settledAt),
    refunded_at_utc: ({ payment }) => payment.refundedAt && wireTime(payment.refundedAt),
    refunded_at_local: ({ payment }) => formatLocal(payment.refundedAt),
    refund_amount: ({ payment }) => formatRefund(payment, (fee) => payment.gross - fee),
    refund_fee: ({ payment }) => formatRefund(payment, (fee) => fee),
    reference_id: ({ payment }) => payment.referenceId,
    reference_note: ({ payment }) => payment.referenceNote,
    client_name: ({ payment }) => payment.client?.name ?? null,
    client_email: ({ payment }) => payment.client?.email ?? null,
    client_phone: ({ payment }) => payment.client?.phone ?? null,
    payer_name: ({ payer }) => payer?.name ?? null,
    payer_wallet_id: ({ payer }) => payer?.publicId ?? null,
    cancelled: ({ payment }) => (isCancelled(payment) ? 'yes' : 'no'),
    link_id: ({ payment }) => payment.linkId,
  }
}
