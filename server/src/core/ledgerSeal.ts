import { createHmac } from 'node:crypto'

// Audits seal the days that they have proven. The seals form a chain under a key, so that access to the database alone is
// not enough to change rows and seal them again.

/** What the seal of a day (UTC) covers: figures of all stores and wallets. */
export type DayFigures = {
  readonly day: string
  /** The number and the hash of the seals of stores on this day, one for each store and mode. */
  readonly stores: bigint
  readonly storeHash: string
  /** The number and the hash of the transfers of all wallets. */
  readonly walletTransfers: bigint
  readonly walletHash: string
  /** The hashes of the sealed totals and of usage. Only the last day of those that an audit sealed has them. */
  readonly totals: string | null
}

export type DaySeal = DayFigures & { readonly mac: Buffer }

export const CHAIN_START: Buffer = Buffer.alloc(32)

export const sealKeyOf = (secretKey: Buffer): Buffer =>
  createHmac('sha256', secretKey).update('florin ledger seals').digest()

const macOf = (key: Buffer, previous: Buffer, figures: DayFigures): Buffer => {
  const { day, stores, storeHash, walletTransfers, walletHash, totals } = figures
  const text = [day, stores, storeHash, walletTransfers, walletHash, totals ?? ''].join('|')
  return createHmac('sha256', key).update(previous).update(text).digest()
}

/** Continues the chain with these days, in order of time. */
export function sealDays(
  key: Buffer,
  last: DaySeal | null,
  days: readonly DayFigures[],
): DaySeal[] {
  let previous = last?.mac ?? CHAIN_START
  return days.map((figures) => {
    previous = macOf(key, previous, figures)
    return { ...figures, mac: previous }
  })
}

/** Seals these days with another key. A broken seal stays as it is, so it stays broken. */
export function resealDays(oldKey: Buffer, newKey: Buffer, seals: readonly DaySeal[]): DaySeal[] {
  const broken = new Set(brokenDays(oldKey, seals))
  let previous = CHAIN_START
  return seals.map((seal) => {
    previous = broken.has(seal.day) ? seal.mac : macOf(newKey, previous, seal)
    return { ...seal, mac: previous }
  })
}

/** The days whose seal was changed, or before which a day was removed or inserted. */
export function brokenDays(key: Buffer, seals: readonly DaySeal[]): string[] {
  let previous = CHAIN_START
  return seals.flatMap((seal) => {
    const isIntact = macOf(key, previous, seal).equals(seal.mac)
    previous = seal.mac
    return isIntact ? [] : [seal.day]
  })
}

const DAY_MS = 86_400_000

/** The start of a day (UTC), as text for PostgreSQL. */
export const startOf = (day: string) => `${day} 00:00:00+00`

/** Whether this is a date with a year of four digits. A tampered row can contain another one, such as `infinity`. */
export const isDay = (date: string) => /^\d{4}-\d{2}-\d{2}$/.test(date)

export const dayAfter = (day: string) =>
  new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10)

export const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/** A part of the ledger by time. The bounds are timestamps as text, or `-infinity` and `infinity`. */
export type LedgerRange = { readonly from: string; readonly to: string }

/**
 * Divides the ledger since `from` into ranges of about the same number of days, with at most `perRange` of its `payments` on
 * average if the days suffice. `first` and `last` are the days on which the first and the last payment expire.
 */
export function divideIntoRanges(
  from: string,
  {
    first,
    last,
    payments,
    perRange,
  }: { first: string; last: string; payments: number; perRange: number },
): LedgerRange[] {
  const startMs = Date.parse(`${first}T00:00:00Z`)
  const days = (Date.parse(`${last}T00:00:00Z`) - startMs) / DAY_MS + 1
  const count = Math.max(1, Math.min(days, Math.ceil(payments / perRange)))
  const bounds = Array.from({ length: count - 1 }, (_, index) =>
    startOf(dayOf(new Date(startMs + Math.round(((index + 1) * days) / count) * DAY_MS))),
  )
  const starts = [from, ...bounds]
  return starts.map((start, index) => ({ from: start, to: starts[index + 1] ?? 'infinity' }))
}

/** The probability that at least one of several audits checks a certain day, if each checks this share of the days. */
export const chanceWithin = (share: number, audits: number) => 1 - (1 - share) ** audits
