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
import type { PaymentRecord } from '../../core/paymentView.ts'
import type { Store } from '../../core/store.ts'
import { exportLines, readSums } from '../../ops/books.ts'
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
    method: 'GET',
    roles: PAGE_ROLES.balance,
    params: ModeParams,
    query: DaysQuery,
    response: media('A CSV file (RFC 4180). The florin-rows header has its row count.', 'text/csv'),
    ownChecks: true,
  } as const

  route({
    ...options,
    path: '/store/:mode/statement.csv',
    operationId: 'exportStatement',
    summary: 'Export the statement',
    description: 'Returns the lines of the statement as a CSV file, oldest first.',
    handler: (call) => sendCsv(call, 'statement', exportStatement),
  })

  route({
    ...options,
    path: '/store/:mode/payments.csv',
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

const STATEMENT_COLUMNS = [
  'at_utc',
  'at_local',
  'time_zone',
  'kind',
  'reference',
  'note',
  'money_in',
  'money_out',
  'balance',
  'currency',
]

/** Incoming and outgoing amounts have separate columns, so that no amount has a sign. */
async function exportStatement(service: Service, { store, mode, period }: Scope): Promise<Export> {
  const { storeId, timeZone, currency } = store
  const sums = await readSums(service.database, { storeId, mode }, period)
  const rows = sums.reduce((total, { count }) => total + count, 0)
  const money = (minor: bigint) => formatMinor(minor, currency)

  async function* pages() {
    yield csvLine(STATEMENT_COLUMNS)
    for await (const lines of exportLines(service.database, { storeId, mode }, period)) {
      const texts = lines.map((line) => {
        const isIn = deltaOf(line) > 0n
        return csvLine([
          wireTime(line.at),
          localTime(line.at, timeZone),
          timeZone,
          line.kind,
          line.reference,
          line.note,
          isIn ? money(line.amount) : null,
          isIn ? null : money(line.amount),
          money(line.balance),
          currency,
        ])
      })
      yield texts.join('')
    }
  }
  return { rows, pages: pages() }
}

const PAYMENT_COLUMNS = [
  'payment_id',
  'status',
  'created_at_utc',
  'created_at_local',
  'time_zone',
  'gross',
  'fee',
  'net',
  'currency',
  'request_amount',
  'request_currency',
  'conversion_rate',
  'donation',
  'settled_at_utc',
  'settled_at_local',
  'refunded_at_utc',
  'refunded_at_local',
  'refund_amount',
  'refund_fee',
  'reference_id',
  'reference_note',
  'client_name',
  'client_email',
  'client_phone',
  'payer_name',
  'payer_wallet_id',
]
const PAGE_SIZE = 200

async function exportPayments(service: Service, { store, mode, period }: Scope): Promise<Export> {
  const { storeId } = store
  const idFrom = paymentIdLowerBound(period.from)
  const idTo = paymentIdLowerBound(period.to)
  const range = { storeId, mode, referenceId: null, idFrom, idBefore: idTo }
  const rows = await countPayments(service.database, range)

  async function* pages() {
    yield csvLine(PAYMENT_COLUMNS)
    let idBefore = idTo
    for (;;) {
      const { records: page } = await service.readPage({
        range: { ...range, idBefore },
        filter: NO_FILTER,
        limit: PAGE_SIZE,
      })
      yield page.map((record) => csvLine(paymentCells(record, store))).join('')
      if (page.length < PAGE_SIZE) return
      idBefore = page.at(-1)!.payment.paymentId
    }
  }
  return { rows, pages: pages() }
}

function paymentCells({ payment, payer }: PaymentRecord, { timeZone }: Store): (string | null)[] {
  const { currency, settledAt, refundedAt, refundFee, client } = payment
  const money = (minor: bigint) => formatMinor(minor, currency)
  const times = (at: Date | null) => [at && wireTime(at), at && localTime(at, timeZone)]
  return [
    payment.paymentId,
    payment.status,
    ...times(payment.createdAt),
    timeZone,
    money(payment.gross),
    money(payment.fee),
    money(payment.gross - payment.fee),
    currency,
    formatMinor(payment.requestAmount, payment.requestCurrency),
    payment.requestCurrency,
    formatRate(payment.conversionRate),
    money(payment.donation),
    ...times(settledAt),
    ...times(refundedAt),
    refundFee === null ? null : money(payment.gross - refundFee),
    refundFee === null ? null : money(refundFee),
    payment.referenceId,
    payment.referenceNote,
    client?.name ?? null,
    client?.email ?? null,
    client?.phone ?? null,
    payer?.name ?? null,
    payer?.publicId ?? null,
  ]
}
