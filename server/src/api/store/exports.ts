import { Readable } from 'node:stream'
import { DaysQuery } from '@florin/contract/books.js'
import { media } from '@florin/contract/common.js'
import { ModeParams } from '@florin/contract/store.js'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { deltaOf } from '../../core/books.ts'
import { localTime, wireTime } from '../../core/calendar.ts'
import { csvLine } from '../../core/csv.ts'
import { type Mode, paymentIdLowerBound } from '../../core/ids.ts'
import { formatMinor, formatRate } from '../../core/money.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import type { Payment } from '../../core/payment.ts'
import type { PaymentRecord } from '../../core/paymentView.ts'
import type { Store } from '../../core/store.ts'
import { type BalancedLine, exportLines, readSums } from '../../ops/books.ts'
import type { Service } from '../../service.ts'
import type { Period } from '../../sql/books.ts'
import { countPayments, NO_FILTER } from '../../sql/paymentList.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { daysOf, periodOf } from '../kit/days.ts'
import { refuseInvalid } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { schemaProblems } from '../kit/validation.ts'

type Scope = { readonly store: Store; readonly mode: Mode; readonly period: Period }
type Export = { readonly rows: number; readonly pages: AsyncGenerator<string> }
type ExportCall = Call<PersonInMode, { query: DaysQuery }>

export function exportRoutes(app: FastifyInstance, route: DeclareRoute<PersonInMode>): void {
  const downloads = new Set<Readable>()
  // A slow download must not delay the shutdown.
  app.addHook('preClose', async () => {
    for (const csv of downloads) csv.destroy()
  })
  const options = {
    roles: PAGE_ROLES.balance,
    params: ModeParams,
    query: DaysQuery,
    response: media('A CSV file (RFC 4180). The florin-rows header has its row count.', 'text/csv'),
    ownChecks: true,
  } as const

  route('GET /store/:mode/statement.csv', {
    ...options,
    operationId: 'exportStatement',
    summary: 'Export the statement',
    description: 'Returns the lines of the statement as a CSV file, oldest first.',
    handler: (call) => sendCsv(call, 'statement', exportStatement),
  })

  route('GET /store/:mode/payments.csv', {
    ...options,
    operationId: 'exportPayments',
    summary: 'Export payments',
    description: 'Returns payments by time of creation as a CSV file, newest first.',
    handler: (call) => sendCsv(call, 'payments', exportPayments),
  })

  async function sendCsv(
    { service, caller, query, request, reply }: ExportCall,
    file: string,
    read: (service: Service, scope: Scope) => Promise<Export>,
  ): Promise<FastifyReply> {
    const { store, mode } = caller
    const problems = schemaProblems(request)
    const days = await daysOf(service, store, query, problems)
    if (problems.length > 0) return refuseInvalid(reply, problems)
    const name = `${file}-${mode}-${days.from}-${days.to}.csv`
    reply
      .header('content-disposition', `attachment; filename="${name}"`)
      .header('content-type', 'text/csv; charset=utf-8')
    // Don't generate a file that HEAD would discard.
    if (request.method === 'HEAD') return reply.send('')
    const period = periodOf(days, store.timeZone)
    const { rows, pages } = await read(service, { store, mode, period })
    // Reads pages as the client receives them, and stops when it disconnects.
    const csv = Readable.from(pages, { objectMode: true, highWaterMark: 1 })
    downloads.add(csv)
    csv.once('close', () => downloads.delete(csv))
    return reply.header('florin-rows', rows).send(csv)
  }
}

/** The columns of a file in order, with the cell of each row. */
type Columns<Row> = Record<string, (row: Row) => string | null>

const csvLines = <Row>(rows: readonly Row[], columns: Columns<Row>) =>
  rows.map((row) => csvLine(Object.values(columns).map((cellOf) => cellOf(row)))).join('')

/** Incoming and outgoing amounts have separate columns, so that no amount has a sign. */
async function exportStatement(service: Service, { store, mode, period }: Scope): Promise<Export> {
  const { storeId, timeZone, currency } = store
  const sums = await readSums(service.database, { storeId, mode }, period)
  const rows = sums.reduce((total, { count }) => total + count, 0)
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
    yield csvLine(Object.keys(columns))
    for await (const lines of exportLines(service.database, { storeId, mode }, period)) {
      yield csvLines(lines, columns)
    }
  }
  return { rows, pages: pages() }
}

const PAGE_SIZE = 200

async function exportPayments(service: Service, { store, mode, period }: Scope): Promise<Export> {
  const { storeId } = store
  const idFrom = paymentIdLowerBound(period.from)
  const idTo = paymentIdLowerBound(period.to)
  const range = { storeId, mode, referenceId: null, idFrom, idBefore: idTo }
  const rows = await countPayments(service.database, range)
  const columns = paymentColumns(store)

  async function* pages() {
    yield csvLine(Object.keys(columns))
    let idBefore = idTo
    for (;;) {
      const { records: page } = await service.readPage({
        range: { ...range, idBefore },
        filter: NO_FILTER,
        limit: PAGE_SIZE,
      })
      yield csvLines(page, columns)
      if (page.length < PAGE_SIZE) return
      idBefore = page.at(-1)!.payment.paymentId
    }
  }
  return { rows, pages: pages() }
}

function paymentColumns({ timeZone, currency }: Store): Columns<PaymentRecord> {
  const money = (minor: bigint) => formatMinor(minor, currency)
  const local = (at: Date | null) => at && localTime(at, timeZone)
  const refunded = ({ refundFee }: Payment, amount: (fee: bigint) => bigint) =>
    refundFee === null ? null : money(amount(refundFee))
  return {
    payment_id: ({ payment }) => payment.paymentId,
    status: ({ payment }) => payment.status,
    created_at_utc: ({ payment }) => wireTime(payment.createdAt),
    created_at_local: ({ payment }) => local(payment.createdAt),
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
    settled_at_local: ({ payment }) => local(payment.settledAt),
    refunded_at_utc: ({ payment }) => payment.refundedAt && wireTime(payment.refundedAt),
    refunded_at_local: ({ payment }) => local(payment.refundedAt),
    refund_amount: ({ payment }) => refunded(payment, (fee) => payment.gross - fee),
    refund_fee: ({ payment }) => refunded(payment, (fee) => fee),
    reference_id: ({ payment }) => payment.referenceId,
    reference_note: ({ payment }) => payment.referenceNote,
    client_name: ({ payment }) => payment.client?.name ?? null,
    client_email: ({ payment }) => payment.client?.email ?? null,
    client_phone: ({ payment }) => payment.client?.phone ?? null,
    payer_name: ({ payer }) => payer?.name ?? null,
    payer_wallet_id: ({ payer }) => payer?.publicId ?? null,
  }
}
