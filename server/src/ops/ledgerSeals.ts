import { MAX_FINDINGS } from '@florin/contract/values.js'
import {
  brokenDays,
  type DaySeal,
  dayAfter,
  dayOf,
  isDay,
  type LedgerRange,
  sealDays,
  startOf,
} from '../core/ledgerSeal.ts'
import type { Tx } from '../database/database.ts'
import { type Finding, findingsOf } from '../sql/ledgerChecks.ts'
import {
  deleteSeals,
  hashTotals,
  insertDaySeals,
  insertStoreSeals,
  type LedgerDay,
  listDaySeals,
  listStoreSeals,
  measurePayments,
  measureStoreSeals,
  measureTransfers,
  measureWalletTransfers,
  updateTotals,
  type WalletDay,
} from '../sql/ledgerSeals.ts'
import {
  compareLinkSeals,
  compareWalletSeals,
  countWalletBalances,
  replaceLinkSeals,
  replaceWalletSeals,
  sumLinks,
  sumWallets,
} from '../sql/sealedTotals.ts'

export const SEAL_CHECK = 'sealed days are unchanged'
const finding = findingsOf(SEAL_CHECK)

/** What earlier audits have sealed. */
export type SealedLedger = {
  readonly days: readonly DaySeal[]
  /** Everything before this day is sealed. Null if nothing is. */
  readonly until: string | null
  /** The transfers of all stores, by day. */
  readonly storeDays: readonly Pick<LedgerDay, 'day' | 'transfers' | 'transferHash'>[]
  readonly payments: bigint
  readonly transfers: bigint
  readonly walletTransfers: bigint
}

export const NOTHING_SEALED: SealedLedger = {
  days: [],
  until: null,
  storeDays: [],
  payments: 0n,
  transfers: 0n,
  walletTransfers: 0n,
}

/**
 * Reads the seals, or those of days before `before`, and verifies that they are complete and unchanged. Reads no ledger
 * rows.
 */
export async function readSeals(
  tx: Tx,
  key: Buffer,
  before: string | null = null,
): Promise<{ sealed: SealedLedger; findings: Finding[] }> {
  const isRead = ({ day }: { day: string }) => before === null || day < before
  const allDays = (await listDaySeals(tx)).filter(isRead)
  const storeDays = (await measureStoreSeals(tx, '-infinity')).filter(isRead)
  const unmatched = new Map(storeDays.map((storeDay) => [storeDay.day, storeDay]))
  const findings = brokenDays(key, allDays).map((day) =>
    finding(`seal of ${day}`, 'as it was sealed', 'changed, or a day before it is missing or new'),
  )
  for (const { day, ...seal } of allDays) {
    const found = unmatched.get(day)
    const problem = difference(
      `${seal.stores} stores, hash ${seal.storeHash}`,
      `${found?.stores ?? 0n} stores, hash ${found?.storeHash ?? '0'}`,
    )
    if (problem !== null) findings.push(finding(`seals of stores on ${day}`, ...problem))
    unmatched.delete(day)
  }
  for (const { day, stores: count } of unmatched.values()) {
    findings.push(finding(`seals of stores on ${day}`, 'none', `${count} stores`))
  }
  const days = allDays.filter(({ day }) => isDay(day))
  const last = days.at(-1)
  const until = last ? dayAfter(last.day) : null
  if (last && until && before === null) {
    const problem = difference(last.totals ?? 'a hash', await hashTotals(tx, until))
    if (problem !== null) findings.push(finding(TOTALS_SUBJECT, ...problem))
  }
  const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n)
  const sealed = {
    days,
    until,
    storeDays,
    payments: sum(storeDays.map(({ payments }) => payments)),
    transfers: sum(storeDays.map(({ transfers }) => transfers)),
    walletTransfers: sum(days.map(({ walletTransfers }) => walletTransfers)),
  }
  return { sealed, findings: findings.slice(0, MAX_FINDINGS) }
}

const TOTALS_SUBJECT = 'sealed totals of wallets and links, and usage of sealed days'

const difference = (expected: string, found: string): [string, string] | null =>
  expected === found ? null : [expected, found]

export type MeasuredLedger = {
  readonly storeDays: readonly LedgerDay[]
  readonly walletDays: readonly WalletDay[]
  /** The day on which the first pending payment expires. */
  readonly firstExpiryDay: string | null
}

/** Computes what a seal contains from the rows of a range. */
export async function measureRange(tx: Tx, range: LedgerRange): Promise<MeasuredLedger> {
  const payments = await measurePayments(tx, range)
  const storeDays = new Map<string, LedgerDay>()
  for (const day of await measureTransfers(tx, range)) {
    storeDays.set(nameOf(day), { ...day, payments: 0n, paymentHash: '0' })
  }
  for (const { pending: _pending, ...day } of payments) {
    const transfers = storeDays.get(nameOf(day)) ?? NO_TRANSFERS
    storeDays.set(nameOf(day), { ...transfers, ...day })
  }
  const expiryDays = payments.flatMap(({ pending }) => (pending ? [dayOf(pending)] : []))
  return {
    storeDays: [...storeDays.values()],
    walletDays: await measureWalletTransfers(tx, range),
    firstExpiryDay: expiryDays.sort()[0] ?? null,
  }
}

const NO_TRANSFERS = { transfers: 0n, transferHash: '0', balance: 0n, fees: 0n, gifts: 0n }

const nameOf = ({ storeId, mode, day }: Pick<LedgerDay, 'storeId' | 'mode' | 'day'>) =>
  `store ${storeId} ${mode} on ${day}`

/**
 * Compares the rows of a range with the seals of its days. Of a day before `archivedUntil` only payments are compared, because
 * the transfers of payments are in the archive.
 */
export async function compareWithSeals(
  tx: Tx,
  {
    range,
    measured,
    sealed,
    archivedUntil,
  }: {
    range: LedgerRange
    measured: MeasuredLedger
    sealed: SealedLedger
    archivedUntil: string | null
  },
): Promise<Finding[]> {
  const isSealed = ({ day }: { day: string }) => sealed.until !== null && day < sealed.until
  const isArchived = ({ day }: { day: string }) => archivedUntil !== null && day < archivedUntil
  const findings: Finding[] = []
  const compare = (
    seals: ReadonlyMap<string, string>,
    rows: ReadonlyMap<string, string>,
    missingText: string,
  ) => {
    for (const subject of new Set([...seals.keys(), ...rows.keys()])) {
      const problem = difference(
        seals.get(subject) ?? missingText,
        rows.get(subject) ?? missingText,
      )
      if (problem !== null) findings.push(finding(subject, ...problem))
    }
  }
  const storeDays = (days: readonly LedgerDay[]) =>
    new Map(
      days
        .filter((day) => isSealed(day) && !(isArchived(day) && day.payments === 0n))
        .map((day) => [nameOf(day), isArchived(day) ? formatPayments(day) : formatStore(day)]),
    )
  compare(storeDays(await listStoreSeals(tx, range)), storeDays(measured.storeDays), 'nothing')
  const walletDays = (days: readonly WalletDay[]) =>
    new Map(
      days
        .filter((day) => isSealed(day) && !isArchived(day))
        .map((day) => [`wallets on ${day.day}`, formatWallets(day)]),
    )
  const isInRange = ({ day }: DaySeal) => startOf(day) >= range.from && startOf(day) < range.to
  const seals = sealed.days.filter(isInRange)
  compare(walletDays(seals), walletDays(measured.walletDays), formatWallets(NO_WALLETS))
  return findings.slice(0, MAX_FINDINGS)
}

const NO_WALLETS = { walletTransfers: 0n, walletHash: '0' }

const formatPayments = (day: LedgerDay) => `${day.payments} payments (hash ${day.paymentHash})`

const formatStore = (day: LedgerDay) =>
  `${formatPayments(day)}, ${day.transfers} transfers (hash ${day.transferHash}), ` +
  `balance ${day.balance}, fees ${day.fees}, gifts ${day.gifts}`

const formatWallets = ({ walletTransfers, walletHash }: Omit<WalletDay, 'day'>) =>
  `${walletTransfers} transfers (hash ${walletHash})`

/** Compares the sealed totals of wallets and links with all sealed rows. */
export async function compareTotalSeals(tx: Tx, sealed: SealedLedger): Promise<Finding[]> {
  if (sealed.until === null) return []
  const range = { from: '-infinity', to: startOf(sealed.until) }
  const found = [...(await compareWalletSeals(tx, range)), ...(await compareLinkSeals(tx, range))]
  return found.map(({ subject, expected, found }) =>
    finding(`sealed total of ${subject}`, expected, found),
  )
}

// Clocks of database servers may differ after a failover.
const MIN_AGE_MS = 3_600_000
const ROWS_PER_INSERT = 10_000
const WALLETS_PER_PART = 100_000

/**
 * Seals the days that are complete: old enough, and before the day on which the first pending payment expires. A reseal
 * deletes the seals since `resealFrom`, even if no day is complete, and computes all totals again. Without a reseal, `resealFrom`
 * is null. Returns all sealed days.
 */
export async function sealMeasured(
  tx: Tx,
  key: Buffer,
  {
    sealed,
    measured,
    completeUntil,
    resealFrom,
  }: {
    sealed: SealedLedger
    measured: MeasuredLedger
    completeUntil: Date
    resealFrom: string | null
  },
): Promise<readonly DaySeal[]> {
  const limits = [
    dayOf(new Date(completeUntil.getTime() - MIN_AGE_MS)),
    measured.firstExpiryDay ?? '9999-12-31',
  ]
  const end = limits.sort()[0]!
  const isNew = ({ day }: { day: string }) => day < end && (!sealed.until || day >= sealed.until)
  const storeDays = measured.storeDays.filter(isNew)
  const walletDays = new Map(
    measured.walletDays.filter(isNew).map((walletDay) => [walletDay.day, walletDay]),
  )
  const days = [...new Set([...storeDays.map(({ day }) => day), ...walletDays.keys()])].sort()
  const last = days.at(-1)
  if (resealFrom !== null) await deleteSeals(tx, resealFrom)
  const until = last ? dayAfter(last) : sealed.until
  if (until === null || (last === undefined && resealFrom === null)) return sealed.days

  for (let from = 0; from < storeDays.length; from += ROWS_PER_INSERT) {
    await insertStoreSeals(tx, storeDays.slice(from, from + ROWS_PER_INSERT))
  }
  const isFirst = sealed.until === null || resealFrom !== null
  const from = isFirst ? '-infinity' : startOf(sealed.until!)
  const range = { from, to: startOf(until) }
  const parts = Math.ceil((await countWalletBalances(tx)) / WALLETS_PER_PART)
  for (let part = 0; part < parts; part++) {
    await replaceWalletSeals(tx, await sumWallets(tx, range, { part, parts }))
  }
  await replaceLinkSeals(tx, await sumLinks(tx, range))
  const totals = await hashTotals(tx, until)
  if (last === undefined) return renewTotals(tx, key, sealed.days, totals)
  const storeSeals = await measureStoreSeals(tx, days[0]!)
  const sealsByDay = new Map(storeSeals.map((seal) => [seal.day, seal]))
  const figures = days.map((day) => {
    const { walletTransfers, walletHash } = walletDays.get(day) ?? NO_WALLETS
    const { stores = 0n, storeHash = '0' } = sealsByDay.get(day) ?? {}
    return {
      day,
      stores,
      storeHash,
      walletTransfers,
      walletHash,
      totals: day === last ? totals : null,
    }
  })
  const added = sealDays(key, sealed.days.at(-1) ?? null, figures)
  await insertDaySeals(tx, added)
  return [...sealed.days, ...added]
}

/** Replaces the totals of the last day. */
async function renewTotals(tx: Tx, key: Buffer, days: readonly DaySeal[], totals: string) {
  const kept = days.slice(0, -1)
  const [last] = sealDays(key, kept.at(-1) ?? null, [{ ...days.at(-1)!, totals }])
  await updateTotals(tx, last!)
  return [...kept, last!]
}
