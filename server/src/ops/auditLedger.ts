import { randomInt } from 'node:crypto'
import { MAX_FINDINGS } from '@florin/contract/values.js'
import { archivedUntil, cutoffOf } from '../core/ledgerArchive.ts'
import {
  dayAfter,
  dayOf,
  divideIntoRanges,
  type LedgerRange,
  sealKeyOf,
  startOf,
} from '../core/ledgerSeal.ts'
import type { Database, Tx } from '../database/database.ts'
import { sqlState } from '../database/errors.ts'
import { compareArchivedPayments } from '../sql/archivedSums.ts'
import { listArchives } from '../sql/archives.ts'
import { EXACT_EVENTS } from '../sql/eventChecks.ts'
import {
  countTransfers,
  type Finding,
  type LedgerTotals,
  ROW_CHECK_NAMES,
  readExtent,
  runCheck,
  TOTAL_CHECK_NAMES,
} from '../sql/ledgerChecks.ts'
import { BOTH_SIDES } from '../sql/ledgerSides.ts'
import {
  findCompleteUntil,
  prepareForManyRows,
  readBackendPid,
  shareSnapshot,
  tryLoopLock,
} from '../sql/locks.ts'
import { EXACT_TRANSFERS } from '../sql/paymentChecks.ts'
import { ARCHIVE_CHECK, compareArchives, compareSums } from './archiveChecks.ts'
import { runSteps, STEP_TIMEOUT_MS, type Step } from './auditSteps.ts'
import { checkEvents, checkSides, checkTotals, checkTransfers } from './ledgerRechecks.ts'
import {
  compareTotalSeals,
  compareWithSeals,
  type MeasuredLedger,
  measureRange,
  NOTHING_SEALED,
  readSeals,
  SEAL_CHECK,
  type SealedLedger,
  sealMeasured,
} from './ledgerSeals.ts'

export type LedgerAudit = {
  readonly totals: LedgerTotals
  readonly checks: readonly { readonly name: string; readonly findings: readonly Finding[] }[]
  /** Null for an audit that doesn't use seals. */
  readonly seals: SealReport | null
}

export type SealReport = {
  /** Everything before this day (UTC) is sealed. Null if nothing is. */
  readonly until: string | null
  /** How many days earlier audits sealed. If this audit replaces the seals, only archived days count. */
  readonly days: number
  /** How many of those were checked again. */
  readonly checkedAgain: number
  /** How many days this audit sealed. */
  readonly newDays: number
}

/**
 * `new`: check what came after the sealed days, and some of those again. `all`: check everything, and compare it with the
 * seals. `reseal`: check everything, and replace the seals.
 */
export type AuditScope = 'new' | 'all' | 'reseal'

type Options = {
  readonly onCheck?: (name: string) => void
  readonly onProgress?: (done: number, total: number) => void
  /** Called with the PID of each connection's backend. */
  readonly onBegin?: (backend: number) => void
  /** On a cluster: the delay before a finding is checked again. */
  readonly recheckDelayMs?: number
  /** At most this many connections work at the same time. On a cluster only one does. */
  readonly connections?: number
  /** Without seals, everything is checked and nothing is written. */
  readonly seals?: { readonly secretKey: Buffer; readonly scope: AuditScope } | null
  /** Sealed days are checked again in random order for this long: at least one day, or none if it is 0. */
  readonly spotCheckMs?: number
  /** The ledger is checked in steps of about this many payments. */
  readonly paymentsPerStep?: number
}

const PAYMENTS_PER_STEP = 100_000
const SPOT_CHECK_MS = 3_000
const RECHECK_DELAY_MS = 3_000
const UNIQUE_VIOLATION = '23505'

/**
 * Verifies the ledger from its rows and returns the inconsistencies, at most `MAX_FINDINGS` for each check. If there are
 * none, seals the days that it has proven. Writes nothing else.
 */
export async function auditLedger(database: Database, options: Options = {}): Promise<LedgerAudit> {
  // Call this before the snapshot is taken. Otherwise a transaction that commits between the two would be neither in the
  // snapshot nor among the open transactions.
  const completeUntil = await database.transaction(findCompleteUntil)
  let audit: LedgerAudit | null = null
  const work = async (tx: Tx) => {
    // A cluster has no snapshot across its machines. All rows of one store, or of one wallet, are on one machine, so a check
    // of one side sees all of a change or nothing. Checks that compare machines look again before they report a finding.
    const snapshot = tx.isDistributed ? null : await shareSnapshot(tx)
    await prepareForManyRows(tx)
    options.onBegin?.(await readBackendPid(tx))
    const plan = await planAudit(tx, completeUntil, options)
    const { max } = database.pool.options
    await runSteps(database, tx, {
      steps: plan.steps,
      snapshot,
      connections: Math.min(options.connections ?? 1, max),
      onBegin: options.onBegin ?? (() => {}),
      onProgress: options.onProgress ?? (() => {}),
    })
    audit = plan.result()
    return plan.seal(audit)
  }
  try {
    return await database.transaction(work, { statementTimeoutMs: STEP_TIMEOUT_MS })
  } catch (error) {
    // Another audit has sealed the same days since the snapshot was taken.
    if (audit !== null && sqlState(error) === UNIQUE_VIOLATION) return audit
    throw error
  }
}

async function planAudit(tx: Tx, completeUntil: Date, options: Options) {
  const { seals = null } = options
  const { recheckDelayMs = RECHECK_DELAY_MS, spotCheckMs = SPOT_CHECK_MS } = options
  const found = collectFindings(options.onCheck ?? (() => {}))
  const key = seals && sealKeyOf(seals.secretKey)
  const maySeal = seals !== null && (await tryLoopLock(tx, 'ledgerSeals'))
  const isReseal = seals?.scope === 'reseal'
  // A reseal must be able to write. On a cluster, the checks would see the seals of the other audit appear.
  if (seals !== null && !maySeal && (isReseal || tx.isDistributed)) {
    throw new Error(
      'Another audit is running, or the ledger is being archived. Try again when it has finished.',
    )
  }
  const archives = await listArchives(tx)
  const cutoff = cutoffOf(archives)
  // The seals of archived days stay, because their transfers can't be measured again.
  const readBefore = isReseal ? (archivedUntil(archives) ?? '') : null
  const read = key && (await readSeals(tx, key, readBefore))
  const sealed = read?.sealed ?? NOTHING_SEALED
  if (key && read) {
    await found.add(SEAL_CHECK, async () => read.findings)
    await found.add(ARCHIVE_CHECK, () => compareArchives(tx, key, { archives, sealed }))
  }
  const isFull = seals?.scope !== 'new' || sealed.until === null
  const since = isFull ? '-infinity' : startOf(sealed.until!)

  const { payments, first, last } = await readExtent(tx, since)
  const totals = { payments, transfers: 0n, walletTransfers: 0n }
  const all = { from: since, to: 'infinity' }
  const ranges =
    first === null || last === null
      ? [all]
      : divideIntoRanges(since, {
          first: dayOf(first),
          last: dayOf(last),
          payments: Number(payments),
          perRange: options.paymentsPerStep ?? PAYMENTS_PER_STEP,
        })
  const measured = collectMeasured(sealed)
  const spot = planSpotChecks(isFull ? [] : sealed.days, spotCheckMs)
  const checkRange = async (on: Tx, range: LedgerRange, refundedFrom: string) => {
    await found.add(EXACT_TRANSFERS, () => checkTransfers(on, range, { cutoff, refundedFrom }))
    await found.add(EXACT_EVENTS, () => checkEvents(on, range))
    for (const name of ROW_CHECK_NAMES) await found.add(name, () => runCheck(on, name, range))
    await found.add(BOTH_SIDES, () => checkSides(on, range, recheckDelayMs))
    if (seals === null) return
    const part = await measureRange(on, range)
    const compared = { range, measured: part, sealed, archivedUntil: archivedUntil(archives) }
    await found.add(SEAL_CHECK, () => compareWithSeals(on, compared))
    measured.add(part)
  }
  // The longest steps come first, so that no connection works alone at the end.
  const steps: Step[] = TOTAL_CHECK_NAMES.map(
    (name) => (on: Tx) => found.add(name, () => checkTotals(on, name, all, recheckDelayMs)),
  )
  if (isFull && sealed.until !== null && !isReseal) {
    steps.push((on) => found.add(SEAL_CHECK, () => compareTotalSeals(on, sealed)))
  }
  if (isFull) steps.push((on) => found.add(ARCHIVE_CHECK, () => compareSums(on, archives)))
  // This check reads all payments before the cutoff, so skip it if nothing is archived.
  if (isFull && archives.length > 0) {
    steps.push((on) => found.add(EXACT_TRANSFERS, () => compareArchivedPayments(on, cutoff)))
  }
  steps.push(
    async (on) => {
      totals.transfers = await countTransfers(on, 'transfer', since)
      totals.walletTransfers = await countTransfers(on, 'wallet_transfer', since)
    },
    // Without a snapshot, a payment may be refunded after its range was checked.
    ...ranges.map(
      (range) => (on: Tx) => checkRange(on, range, tx.isDistributed ? 'infinity' : since),
    ),
    ...spot.ranges.map((range) => async (on: Tx) => {
      if (spot.tryStart()) await checkRange(on, range, 'infinity')
    }),
  )

  return {
    steps,
    result(): LedgerAudit {
      const names = [
        ...TOTAL_CHECK_NAMES,
        EXACT_TRANSFERS,
        EXACT_EVENTS,
        ...ROW_CHECK_NAMES,
        BOTH_SIDES,
      ]
      const days = sealed.days.length
      const report = {
        until: sealed.until,
        days,
        checkedAgain: isFull ? days : spot.checked(),
        newDays: 0,
      }
      const sum = (counts: bigint[]) => counts.reduce((total, count) => total + count, 0n)
      const archived = {
        payments: 0n,
        transfers: sum(archives.map((archive) => archive.transfers)),
        walletTransfers: sum(archives.map((archive) => archive.walletTransfers)),
      }
      const before = isFull ? archived : sealed
      return {
        totals: {
          payments: totals.payments + before.payments,
          transfers: totals.transfers + before.transfers,
          walletTransfers: totals.walletTransfers + before.walletTransfers,
        },
        checks: found.all([...names, ARCHIVE_CHECK, ...(seals === null ? [] : [SEAL_CHECK])]),
        seals: seals && report,
      }
    },
    /** Seals what the audit has proven. An audit with findings seals nothing. */
    async seal(audit: LedgerAudit): Promise<LedgerAudit> {
      const isClean = audit.checks.every(({ findings }) => findings.length === 0)
      if (key === null || !maySeal || !isClean) return audit
      const days = await sealMeasured(tx, key, {
        sealed,
        measured: measured.all(),
        completeUntil,
        resealFrom: isReseal ? cutoff : null,
      })
      const newest = days.at(-1)
      const newDays = days.length - sealed.days.length
      return {
        ...audit,
        seals: { ...audit.seals!, until: newest ? dayAfter(newest.day) : null, newDays },
      }
    },
  }
}

function collectFindings(onCheck: (name: string) => void) {
  const found = new Map<string, Finding[]>()
  return {
    async add(name: string, check: () => Promise<readonly Finding[]>): Promise<void> {
      onCheck(name)
      const findings = await check()
      found.set(name, [...(found.get(name) ?? []), ...findings].slice(0, MAX_FINDINGS))
    },
    all: (names: readonly string[]) =>
      names.map((name) => ({ name, findings: found.get(name) ?? [] })),
  }
}

/** Keeps the days that are not sealed yet. */
function collectMeasured({ until }: SealedLedger) {
  const parts: MeasuredLedger[] = []
  const isNew = ({ day }: { day: string }) => until === null || day >= until
  return {
    add({ storeDays, walletDays, firstExpiryDay }: MeasuredLedger): void {
      parts.push({
        storeDays: storeDays.filter(isNew),
        walletDays: walletDays.filter(isNew),
        firstExpiryDay,
      })
    },
    all: (): MeasuredLedger => ({
      storeDays: parts.flatMap((part) => part.storeDays),
      walletDays: parts.flatMap((part) => part.walletDays),
      firstExpiryDay: parts.flatMap((part) => part.firstExpiryDay ?? []).sort()[0] ?? null,
    }),
  }
}

/** Selects sealed days in random order until the time budget is used up. */
function planSpotChecks(days: SealedLedger['days'], budgetMs: number) {
  const left = [...days]
  const shuffled = days.map(() => left.splice(randomInt(left.length), 1)[0]!)
  let startedMs: number | null = null
  let checked = 0
  return {
    ranges: shuffled.map(({ day }) => ({ from: startOf(day), to: startOf(dayAfter(day)) })),
    /** Counts a day as checked and returns true, or returns false if the time budget is used up. */
    tryStart(): boolean {
      startedMs ??= performance.now()
      const elapsedMs = performance.now() - startedMs
      const isInTime = budgetMs > 0 && (checked === 0 || elapsedMs < budgetMs)
      if (isInTime) checked += 1
      return isInTime
    },
    checked: () => checked,
  }
}
