import { DayCloses, DayClosesQuery, Statement, StatementQuery } from '@florin/contract/books.js'
import { ModeParams } from '@florin/contract/store.js'
import { type DayClose, deltaOf } from '../../core/books.ts'
import {
  lastDays,
  localDay,
  localTime,
  parseTime,
  startOfLocalDay,
  wireTime,
} from '../../core/calendar.ts'
import type { CurrencyCode } from '../../core/currencies.ts'
import { formatMinor } from '../../core/money.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import {
  type BalancedLine,
  positionOf,
  readCloses,
  readStatement,
  type StatementPosition,
} from '../../ops/books.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { daysOf, periodOf } from '../kit/days.ts'
import { schemaProblems } from '../kit/http/validation.ts'
import { pageOf, pageQuery } from '../kit/paging.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function bookRoutes(route: DeclareRoute<PersonInMode>): void {
  route('GET /store/:mode/statement', {
    operationId: 'getStatement',
    summary: 'Get the statement',
    description: 'Lists the transfers of the store with the balance after each, newest first.',
    roles: PAGE_ROLES.balance,
    params: ModeParams,
    query: StatementQuery,
    data: Statement,
    hasOwnChecks: true,
    handler: getStatement,
  })

  route('GET /store/:mode/closes', {
    operationId: 'listCloses',
    summary: 'List daily closes',
    description: "Lists the totals of each day in the store's time zone.",
    roles: PAGE_ROLES.balance,
    params: ModeParams,
    query: DayClosesQuery,
    data: DayCloses,
    hasOwnChecks: true,
    handler: listCloses,
  })
}

type StatementCall = Call<PersonInMode, { query: StatementQuery; data: Statement }>

async function getStatement({ service, caller, query, request, reply }: StatementCall) {
  const { store, storeId, mode } = caller
  const { timeZone, currency } = store
  const problems = schemaProblems(request)
  const { limit, cursor } = pageQuery(query, problems)
  const from = cursor(parsePosition)
  const days = await daysOf(service, store, query, problems)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const isWhole = query.from === undefined && query.to === undefined
  const period = isWhole ? null : periodOf(days, timeZone)
  const { balance, lines, archivedBefore } = await readStatement(service.database, {
    storeId,
    mode,
    period,
    from,
    limit: limit + 1,
  })
  const { items, nextCursor } = pageOf(lines, limit, formatPosition)
  return succeed(reply, 'Statement', {
    currency,
    time_zone: timeZone,
    balance: formatMinor(balance, currency),
    lines: items.map((line) => ({
      at: wireTime(line.at),
      local_at: localTime(line.at, timeZone),
      kind: line.kind,
      reference: line.reference,
      amount: formatMinor(deltaOf(line), currency),
      balance: formatMinor(line.balance, currency),
      note: line.note,
      payment: line.payment && {
        reference_id: line.payment.referenceId,
        link_title: line.payment.linkTitle,
        payer: line.payment.payer,
      },
    })),
    next_cursor: nextCursor,
    archived_before: archivedBefore && wireTime(archivedBefore),
  })
}

/** The cursor of the page after this line. It contains the balance before the line, which that page starts with. */
function formatPosition(last: BalancedLine): string {
  const { at, reference, rank } = positionOf(last)
  return `${at.toISOString()}~${reference}~${rank}~${last.balance - deltaOf(last)}`
}

/** The balance in a cursor has no signature: a client that changes it only sees wrong figures itself. */
function parsePosition(cursor: string): StatementPosition | null {
  const match = /^([0-9TZ:.-]{24})~([a-z]{3}_[0-9a-z]{26,30})~([1-6])~(-?\d{1,19})$/.exec(cursor)
  const at = match && parseTime(match[1]!)
  if (!match || !at) return null
  return { at, reference: match[2]!, rank: Number(match[3]), balance: BigInt(match[4]!) }
}

const DEFAULT_DAYS = 14

type ClosesCall = Call<PersonInMode, { query: DayClosesQuery; data: DayCloses }>

async function listCloses({ service, caller, query, request, reply }: ClosesCall) {
  const { store, storeId, mode } = caller
  const { timeZone, currency } = store
  const problems = schemaProblems(request)
  const { to } = await daysOf(service, store, query, problems)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { limit = DEFAULT_DAYS } = query
  const firstDay = localDay(store.createdAt, timeZone)
  const days = lastDays(startOfLocalDay(to, timeZone)!, timeZone, limit)
    .filter(({ day }) => day >= firstDay)
    .reverse()
  const closes = await readCloses(service.database, { storeId, mode }, days)
  const [oldest] = days
  const hasFirstDay = oldest === undefined || oldest.day === firstDay
  return succeed(reply, 'Daily closes', {
    currency,
    time_zone: timeZone,
    closes: closes.toReversed().map((close) => ({
      day: close.day,
      starts_at: wireTime(close.from),
      ends_at: wireTime(close.to),
      is_over: close.isOver,
      ...closeView(close, currency),
    })),
    next_to: hasFirstDay ? null : localDay(new Date(oldest.from.getTime() - 1), timeZone),
  })
}

function closeView({ opening, closing, sums }: DayClose, currency: CurrencyCode) {
  const money = (minor: bigint) => formatMinor(minor, currency)
  const sum = (kind: keyof typeof sums) => ({
    count: sums[kind].count,
    amount: money(sums[kind].amount),
  })
  return {
    opening: money(opening),
    sales: sum('payment'),
    fees: sum('fee'),
    refunds: sum('refund'),
    refund_fees: sum('refund_fee'),
    funding: sum('funding'),
    payouts: sum('payout'),
    closing: money(closing),
  }
}
