import type { Readable } from 'node:stream'
import {
  DayCloses,
  DayClosesQuery,
  DaysQuery,
  Statement,
  StatementQuery,
} from '@florin/contract/books.js'
import { answer, errors, media } from '@florin/contract/common.js'
import { ModeParams } from '@florin/contract/store.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type DayClose, deltaOf } from '../../core/books.ts'
import {
  lastDays,
  localDay,
  localTime,
  parseTime,
  startOfLocalDay,
  wireTime,
} from '../../core/calendar.ts'
import { formatMinor } from '../../core/money.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import type { Store } from '../../core/store.ts'
import {
  positionOf,
  readCloses,
  readStatement,
  type StatementPosition,
  today,
} from '../../ops/readBooks.ts'
import type { Service } from '../../service.ts'
import type { Period } from '../../sql/books.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { pageQuery } from '../kit/paging.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import { type FieldProblem, schemaProblems } from '../kit/validation.ts'
import { CSV_TYPE, exportPayments, exportStatement } from './exports.ts'
import { readStoreMode } from './mode.ts'

/** What a store earned, by line and by day, and both as files. */
export async function storeBookRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', readStoreMode)
  const sending = new Set<Readable>()
  // Whoever takes a file slowly must not keep the service from stopping.
  app.addHook('preClose', async () => {
    for (const csv of sending) csv.destroy()
  })

  app.get(
    '/store/:mode/statement',
    {
      attachValidation: true,
      config: { roles: PAGE_ROLES.balance },
      schema: {
        ...docs,
        operationId: 'getStatement',
        summary: 'Every line of the ledger with the balance after it, newest first',
        params: ModeParams,
        querystring: StatementQuery,
        response: { 200: answer(Statement), ...errors(400) },
      },
    },
    (request, reply) => getStatement(service, request, reply),
  )

  app.get(
    '/store/:mode/closes',
    {
      attachValidation: true,
      config: { roles: PAGE_ROLES.balance },
      schema: {
        ...docs,
        operationId: 'listCloses',
        summary: "What each of the store's own days came to, newest first",
        params: ModeParams,
        querystring: DayClosesQuery,
        response: { 200: answer(DayCloses), ...errors(400) },
      },
    },
    (request, reply) => getCloses(service, request, reply),
  )

  for (const [file, operationId, what, send] of [
    ['statement', 'exportStatement', 'The statement, oldest line first', exportStatement],
    [
      'payments',
      'exportPayments',
      'Payments by when they were created, newest first',
      exportPayments,
    ],
  ] as const) {
    app.get(
      `/store/:mode/${file}.csv`,
      {
        attachValidation: true,
        config: { roles: PAGE_ROLES.balance },
        schema: {
          ...docs,
          operationId,
          summary: `${what}, as a CSV file`,
          params: ModeParams,
          querystring: DaysQuery,
          response: {
            200: media('RFC 4180; the florin-rows header says how many rows come', 'text/csv'),
            ...errors(400),
          },
        },
      },
      async (request, reply) => {
        const { store, mode } = merchantOf(request)
        const problems = schemaProblems(request)
        const days = await daysOf(service, request, problems)
        if (problems.length > 0) return refuseInvalid(reply, problems)
        const name = `${file}-${mode}-${days.from}-${days.to}.csv`
        reply.header('content-disposition', `attachment; filename="${name}"`)
        const period = periodOf(days, store.timeZone)
        // The whole file would be made for nobody.
        if (request.method === 'HEAD') return reply.header('content-type', CSV_TYPE).send('')
        const csv = await send(service, reply, { store, mode, period })
        sending.add(csv)
        csv.once('close', () => sending.delete(csv))
        return reply.send(csv)
      },
    )
  }
}

type Days = { readonly from: string; readonly to: string }

/** Where only one end is named, or none: from the first day of the store, up to today. */
async function daysOf(
  service: Service,
  request: FastifyRequest,
  problems: FieldProblem[],
): Promise<Days> {
  const query = request.query as Partial<Days>
  const { timeZone, createdAt } = merchantOf(request).store
  const days = {
    from: query.from ?? localDay(createdAt, timeZone),
    to: query.to ?? (await today(service.database, timeZone)),
  }
  for (const field of ['from', 'to'] as const) {
    if (startOfLocalDay(days[field], timeZone) !== null) continue
    problems.push({ field, message: `${field} must be a day such as 2026-01-31` })
  }
  if (problems.length === 0 && query.from && query.to && days.from > days.to) {
    problems.push({ field: 'to', message: 'to must not be before from' })
  }
  return days
}

const periodOf = ({ from, to }: Days, timeZone: string): Period => ({
  from: startOfLocalDay(from, timeZone)!,
  to: lastDays(startOfLocalDay(to, timeZone)!, timeZone, 1)[0]!.to,
})

async function getStatement(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const query = request.query as Partial<Days> & { limit?: number; cursor?: string }
  const problems = schemaProblems(request)
  const asked = pageQuery(query, problems)
  const limit = asked.limit
  const from = asked.cursor(parsePosition)
  const days = await daysOf(service, request, problems)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { store, mode } = merchantOf(request)
  const { storeId, timeZone, currency } = store
  const isWhole = query.from === undefined && query.to === undefined
  const period = isWhole ? null : periodOf(days, timeZone)
  const { balance, lines: found } = await readStatement(service.database, {
    storeId,
    mode,
    period,
    from,
    limit: limit + 1,
  })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return succeed(reply, 'Statement', {
    currency,
    time_zone: timeZone,
    balance: formatMinor(balance, currency),
    lines: shown.map((line) => ({
      at: wireTime(line.at),
      local_at: localTime(line.at, timeZone),
      kind: line.kind,
      reference: line.reference,
      amount: formatMinor(deltaOf(line), currency),
      balance: formatMinor(line.balance, currency),
      note: line.note,
    })),
    next_cursor:
      last && found.length > limit
        ? formatPosition({ ...positionOf(last), balance: last.balance - deltaOf(last) })
        : null,
  })
}

function formatPosition({ at, reference, rank, balance }: StatementPosition): string {
  return `${at.toISOString()}~${reference}~${rank}~${balance}`
}

/** Who changes the balance in it sees other figures, and nobody else does. */
function parsePosition(cursor: string): StatementPosition | null {
  const match = /^([0-9TZ:.-]{24})~([a-z]{3}_[0-9a-z]{26,30})~([1-6])~(-?\d{1,19})$/.exec(cursor)
  const at = match && parseTime(match[1]!)
  if (!match || !at) return null
  return { at, reference: match[2]!, rank: Number(match[3]), balance: BigInt(match[4]!) }
}

const DEFAULT_DAYS = 14

async function getCloses(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const { limit = DEFAULT_DAYS } = request.query as DayClosesQuery
  const problems = schemaProblems(request)
  const { to } = await daysOf(service, request, problems)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { store, mode } = merchantOf(request)
  const { storeId, timeZone, currency } = store
  const first = localDay(store.createdAt, timeZone)
  const days = lastDays(startOfLocalDay(to, timeZone)!, timeZone, limit)
    .filter(({ day }) => day >= first)
    .reverse()
  const closes = await readCloses(service.database, { storeId, mode }, days)
  const [oldest] = days
  const isFirst = oldest === undefined || oldest.day === first
  return succeed(reply, 'Daily closes', {
    currency,
    time_zone: timeZone,
    closes: closes.toReversed().map((close) => ({
      day: close.day,
      starts_at: wireTime(close.from),
      ends_at: wireTime(close.to),
      is_over: close.isOver,
      ...closeView(close, store),
    })),
    next_to: isFirst ? null : localDay(new Date(oldest.from.getTime() - 1), timeZone),
  })
}

function closeView({ opening, closing, sums }: DayClose, { currency }: Store) {
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
