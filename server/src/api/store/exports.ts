import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { deltaOf } from '../../core/books.ts'
import { localTime, wireTime } from '../../core/calendar.ts'
import { csvLine } from '../../core/csv.ts'
import { type Mode, paymentIdLowerBound } from '../../core/ids.ts'
import { formatMinor, formatRate } from '../../core/money.ts'
import type { PaymentRecord } from '../../core/paymentView.ts'
import type { Store } from '../../core/store.ts'
import { exportLines, readSums } from '../../ops/books.ts'
import type { Service } from '../../service.ts'
import type { Period } from '../../sql/books.ts'
import { countPayments, NO_FILTER } from '../../sql/paymentList.ts'

export const CSV_TYPE = 'text/csv; charset=utf-8'

type Wanted = { readonly store: Store; readonly mode: Mode; readonly period: Period }

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

/** In and out are columns of their own, so that no amount begins with a sign. */
export async function exportStatement(service: Service, reply: FastifyReply, wanted: Wanted) {
  const { store, mode, period } = wanted
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
  return csvFile(reply, rows, pages())
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
const PAGE = 200

export async function exportPayments(service: Service, reply: FastifyReply, wanted: Wanted) {
  const { store, mode, period } = wanted
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
        limit: PAGE,
      })
      yield page.map((story) => csvLine(paymentCells(story, store))).join('')
      if (page.length < PAGE) return
      idBefore = page.at(-1)!.payment.paymentId
    }
  }
  return csvFile(reply, rows, pages())
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

/** Pages are read as the client takes them; whoever goes away has no more read for him. */
function csvFile(reply: FastifyReply, rows: number, pages: AsyncGenerator<string>): Readable {
  reply.header('content-type', CSV_TYPE).header('florin-rows', rows)
  return Readable.from(pages, { objectMode: true, highWaterMark: 1 })
}
