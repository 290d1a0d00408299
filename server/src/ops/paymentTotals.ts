import { lastDays } from '../core/calendar.ts'
import type { CurrencyCode } from '../core/currencies.ts'
import type { Mode } from '../core/ids.ts'
import {
  type PaymentTotals,
  startOfPeriod,
  sumTotals,
  TOTALS_PERIOD_MS,
} from '../core/paymentTotals.ts'
import type { Database, Queryable, Tx } from '../database/database.ts'
import { createCache } from '../platform/cache.ts'
import { findCompleteUntil, readDatabaseTime, tryLoopLock } from '../sql/locks.ts'
import {
  countActiveStores,
  countActiveWallets,
  deleteTotals,
  findFirstStoreTime,
  findRecentPayers,
  findTotalsEnd,
  insertTotals,
  readTotals,
  setLastPayments,
  setTotalsEnd,
  sumPayments,
} from '../sql/paymentTotals.ts'
import { inReportTransaction, MAX_WRITE_DELAY_MS } from './reportTransaction.ts'
import { sameTimeOfDay } from './series.ts'

const DAY_MS = 86_400_000
const MAX_DAYS = 90
/** After an upgrade, totals start this long ago: the longest period, and the one before it for comparison. */
const HISTORY_MS = 2 * MAX_DAYS * DAY_MS
/** Payments after the end of the totals are summed on request, unless the totals are further behind than this. */
const MAX_TAIL_MS = 3 * TOTALS_PERIOD_MS

/** A transaction adds at most this much. The steps of a loop that is behind get longer while they are fast. */
const MAX_STEP_MS = DAY_MS
const FAST_MS = 200
const SLOW_MS = 1_000

/** Adds the totals of the periods that have ended. Only one process at a time does this. */
export async function addPaymentTotals(
  database: Database,
  isStopped: () => boolean = () => false,
): Promise<void> {
  const addNext = (stepMs: number) =>
    database.transaction(async (tx) => {
      if (!(await tryLoopLock(tx, 'totals'))) return false
      const at = await readDatabaseTime(tx)
      await repeatAfterChangedClock(tx, at)
      const from = await findCountedUntil(tx, at)
      const completeUntil = await findCompleteUntil(tx)
      const settled = startOfPeriod(new Date(completeUntil.getTime() - MAX_WRITE_DELAY_MS))
      const to = new Date(Math.min(from.getTime() + stepMs, settled.getTime()))
      if (to <= from) return false
      await insertTotals(tx, await sumPayments(tx, { from, to }))
      await setLastPayments(tx, await findRecentPayers(tx, { from, to }))
      await setTotalsEnd(tx, to)
      return true
    })
  let stepMs = TOTALS_PERIOD_MS
  for (;;) {
    const startedMs = performance.now()
    if (isStopped() || !(await addNext(stepMs))) return
    const tookMs = performance.now() - startedMs
    if (tookMs < FAST_MS) stepMs = Math.min(stepMs * 2, MAX_STEP_MS)
    if (tookMs > SLOW_MS) stepMs = TOTALS_PERIOD_MS
  }
}

/**
 * If the totals end too late, the clock has been set back, and payments since then are missing in them. Then the totals of the
 * last day are added again.
 */
async function repeatAfterChangedClock(tx: Tx, at: Date): Promise<void> {
  const end = await findTotalsEnd(tx)
  if (end.getTime() <= at.getTime() - MAX_WRITE_DELAY_MS) return
  const since = startOfPeriod(new Date(at.getTime() - DAY_MS))
  await deleteTotals(tx, since)
  await setTotalsEnd(tx, since)
}

/** The end of the totals. Nothing was paid before the first store was created. */
async function findCountedUntil(on: Queryable, at: Date): Promise<Date> {
  const done = await findTotalsEnd(on)
  const first = (await findFirstStoreTime(on)) ?? at
  const earliestMs = Math.max(first.getTime(), at.getTime() - HISTORY_MS)
  return done.getTime() < earliestMs ? startOfPeriod(new Date(earliestMs)) : done
}

type BusinessRequest = { readonly mode: Mode; readonly timeZone: string; readonly days: number }

type CurrencyFigures = {
  readonly currency: CurrencyCode
  readonly total: PaymentTotals
  /** The same number of days before, until the same time of day. */
  readonly before: PaymentTotals
  /** By day, oldest first. */
  readonly days: readonly PaymentTotals[]
}

/** How long counts of active stores and wallets are cached. Counting reads a row for each store and wallet. */
const ACTIVE_AGE_MS = 60_000

/** Reads the figures of the whole service for its operators. */
export function createBusinessReader(database: Database) {
  /** The payments after the end of the totals. */
  const tail = createCache(
    (fromMs: number) =>
      inReportTransaction(database, 'operators latest', async (tx) => {
        const from = new Date(fromMs)
        const to = await readDatabaseTime(tx)
        const totals = await sumPayments(tx, { from, to })
        return { to, totals, payers: await findRecentPayers(tx, { from, to }) }
      }),
    { maxAgeMs: 2_000, maxEntries: 10 },
  )
  const readTail = (at: Date, end: Date) => {
    const isBehind = at.getTime() - end.getTime() > MAX_TAIL_MS
    return isBehind ? { to: end, totals: [], payers: [] } : tail.get(end.getTime())
  }
  const activeCounts = createCache(
    async (key: `${Mode} ${string} ${number} ${number}`) => {
      const [mode, day, sinceMs, endMs] = key.split(' ') as [Mode, string, string, string]
      const { payers } = await readTail(await readDatabaseTime(database), new Date(Number(endMs)))
      const latest = payers.filter((payer) => payer.mode === mode).map(({ walletId }) => walletId)
      const since = new Date(Number(sinceMs))
      return inReportTransaction(database, 'operators counts', async (tx) => ({
        stores: await countActiveStores(tx, mode, day),
        wallets: await countActiveWallets(tx, { mode, since, latest }),
      }))
    },
    { maxAgeMs: ACTIVE_AGE_MS, maxEntries: 100 },
  )

  return async function readBusiness({ mode, timeZone, days: count }: BusinessRequest) {
    const at = await readDatabaseTime(database)
    const all = lastDays(at, timeZone, 2 * count)
    const days = all.slice(0, count).reverse()
    const { day: firstDay, from: start } = days[0]!
    const before = {
      from: all.at(-1)!.from,
      to: startOfPeriod(sameTimeOfDay(at, all[0]!, all[count]!, timeZone)),
    }
    const { end, stored } = await inReportTransaction(database, 'operators totals', async (tx) => ({
      end: await findCountedUntil(tx, at),
      stored: await readTotals(tx, mode, [...days, before]),
    }))
    const latest = await readTail(at, end)
    const indexOfDay = (time: Date) => days.findIndex(({ from, to }) => time >= from && time < to)
    const rows = [
      ...stored,
      ...latest.totals
        .filter((totals) => totals.mode === mode)
        .map((totals) => ({ ...totals, range: indexOfDay(totals.starts) })),
    ]
    const sumOf = (currency: CurrencyCode, range: number) =>
      sumTotals(rows.filter((row) => row.currency === currency && row.range === range))
    const currencies = [...new Set(rows.map(({ currency }) => currency))].sort()
    const { stores, wallets } = await activeCounts.get(
      `${mode} ${firstDay} ${start.getTime()} ${end.getTime()}`,
    )
    return {
      days,
      countedUntil: latest.to,
      stores,
      wallets,
      currencies: currencies.map((currency): CurrencyFigures => {
        const byDay = days.map((_, range) => sumOf(currency, range))
        return {
          currency,
          total: sumTotals(byDay),
          before: sumOf(currency, days.length),
          days: byDay,
        }
      }),
    }
  }
}
