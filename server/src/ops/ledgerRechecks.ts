import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_FINDINGS } from '@florin/contract/values.js'
import type { LedgerRange } from '../core/ledgerSeal.ts'
import type { Tx } from '../database/database.ts'
import { compareEvents, findEventSuspects } from '../sql/eventChecks.ts'
import { type Finding, runCheck, STORE_BALANCES } from '../sql/ledgerChecks.ts'
import { compareSides, recheckDifferences } from '../sql/ledgerSides.ts'
import { readDatabaseTime } from '../sql/locks.ts'
import { compareTransfers, findSuspects, type Suspect } from '../sql/paymentChecks.ts'
import { STEP_TIMEOUT_MS } from './auditSteps.ts'

const PAYMENTS_PER_QUERY = 2_000

/**
 * Compares payments with their transfers: first all of a range by time, then by key those that may be wrong. Transfers before the
 * cutoff are archived.
 */
export async function checkTransfers(
  tx: Tx,
  range: LedgerRange,
  limits: { readonly cutoff: string; readonly refundedFrom: string },
): Promise<Finding[]> {
  const suspects = await findSuspects(tx, range, limits)
  return compareInBatches(suspects, (batch) => compareTransfers(tx, batch, limits.cutoff))
}

/** Compares payments with their events: first all of a range by time, then by key those that may be wrong. */
export async function checkEvents(tx: Tx, range: LedgerRange): Promise<Finding[]> {
  return compareInBatches(await findEventSuspects(tx, range), (batch) => compareEvents(tx, batch))
}

async function compareInBatches(
  suspects: readonly Suspect[],
  compare: (batch: readonly Suspect[]) => Promise<Finding[]>,
): Promise<Finding[]> {
  const found: Finding[] = []
  for (let from = 0; from < suspects.length; from += PAYMENTS_PER_QUERY) {
    found.push(...(await compare(suspects.slice(from, from + PAYMENTS_PER_QUERY))))
    if (found.length >= MAX_FINDINGS) break
  }
  return found
}

const MAX_TRIES = 5

/**
 * Compares stores with wallets. On a cluster they are on different machines and are read at different times,
 * so transfers made during the comparison are left to the next audit.
 */
export async function checkSides(
  tx: Tx,
  range: LedgerRange,
  recheckDelayMs: number,
): Promise<Finding[]> {
  const from = await readDatabaseTime(tx)
  const until = new Date(from.getTime() + MAX_TRIES * STEP_TIMEOUT_MS)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const found = await compareSides(tx, range, tx.isDistributed ? { from, until } : null)
    const remaining = await recheck(tx, found, recheckDelayMs, (last) =>
      recheckDifferences(tx, last),
    )
    // A full list may have hidden other findings.
    if (remaining.length > 0 || found.length < MAX_FINDINGS) return remaining.map(toFinding)
  }
  throw new Error(
    'Too many transfers to compare stores with wallets. Run the audit at a quieter time.',
  )
}

/** Runs a check of totals. On a cluster, a new store may be visible on one machine before another. */
export async function checkTotals(
  tx: Tx,
  name: string,
  range: LedgerRange,
  recheckDelayMs: number,
) {
  const found = await runCheck(tx, name, range)
  if (name !== STORE_BALANCES) return found
  return recheck(tx, found, recheckDelayMs, async (last) => {
    const rechecked = await runCheck(tx, name, range)
    return rechecked.filter(({ subject }) => last.some((finding) => finding.subject === subject))
  })
}

const MAX_RECHECKS = 5

/**
 * On a cluster, returns the findings that remain after several checks. Transfers and stores are only added, so a row that
 * was not visible yet on one machine appears later, and a real inconsistency stays. No locks are needed.
 */
async function recheck<Found>(
  tx: Tx,
  found: Found[],
  recheckDelayMs: number,
  check: (last: Found[]) => Promise<Found[]>,
): Promise<Found[]> {
  let remaining = found
  if (!tx.isDistributed) return remaining
  for (let checks = 0; remaining.length > 0 && checks < MAX_RECHECKS; checks++) {
    await sleep(recheckDelayMs)
    remaining = await check(remaining)
  }
  return remaining
}

const toFinding = ({ check, subject, expected, found }: Finding): Finding => ({
  check,
  subject,
  expected,
  found,
})
