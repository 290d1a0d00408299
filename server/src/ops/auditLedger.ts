import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../database/database.ts'
import {
  BOTH_SIDES,
  CHECK_NAMES,
  compareSides,
  countLedger,
  type Finding,
  type LedgerTotals,
  MAX_FINDINGS,
  recheckDifferences,
  runCheck,
  STORE_BALANCES,
} from '../sql/ledgerChecks.ts'
import { backendPid, databaseTime, useSnapshot } from '../sql/locks.ts'

export type LedgerAudit = {
  readonly totals: LedgerTotals
  readonly checks: readonly { readonly name: string; readonly findings: readonly Finding[] }[]
}

/** Checking a ledger with many millions of rows takes a long time. */
const CHECK_TIMEOUT_MS = 3_600_000

type Options = {
  readonly onCheck?: (name: string) => void
  readonly onBegin?: (backend: number) => void
  /** On a cluster: the delay before a finding is checked again. */
  readonly recheckDelayMs?: number
}

/** Verifies the ledger from its rows and returns every inconsistency. Changes nothing. */
export async function auditLedger(
  database: Database,
  { onCheck, onBegin, recheckDelayMs = 3_000 }: Options = {},
): Promise<LedgerAudit> {
  return database.transaction(
    async (tx) => {
      // A cluster has no snapshot across its machines. All rows of one store, or of one wallet, are on one
      // machine, so each check still sees all of a change or nothing.
      if (!tx.isDistributed) await useSnapshot(tx)
      onBegin?.(await backendPid(tx))
      const checks: { name: string; findings: Finding[] }[] = []
      for (const name of CHECK_NAMES) {
        onCheck?.(name)
        const run = { [BOTH_SIDES]: checkSides, [STORE_BALANCES]: checkStoreBalances }[name]
        checks.push({
          name,
          findings: run ? await run(tx, recheckDelayMs) : await runCheck(tx, name),
        })
      }
      return { totals: await countLedger(tx), checks }
    },
    { statementTimeoutMs: CHECK_TIMEOUT_MS },
  )
}

const MAX_TRIES = 5

/**
 * Compares stores with wallets. On a cluster they are on different machines and are read at different times,
 * so transfers made during the audit are left to the next one.
 */
async function checkSides(tx: Tx, recheckDelayMs: number): Promise<Finding[]> {
  const from = await databaseTime(tx)
  const until = new Date(from.getTime() + MAX_TRIES * CHECK_TIMEOUT_MS)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const found = await compareSides(tx, tx.isDistributed ? { from, until } : null)
    const still = await recheck(tx, found, recheckDelayMs, (last) => recheckDifferences(tx, last))
    // A full list may have hidden other findings.
    if (still.length > 0 || found.length < MAX_FINDINGS) return still.map(toFinding)
  }
  throw new Error(
    'Too many transfers to compare stores with wallets. Run the audit at a quieter time.',
  )
}

/** A store that is being created may be visible on one machine before the other. */
async function checkStoreBalances(tx: Tx, recheckDelayMs: number): Promise<Finding[]> {
  return recheck(tx, await runCheck(tx, STORE_BALANCES), recheckDelayMs, async (last) => {
    const again = await runCheck(tx, STORE_BALANCES)
    return again.filter(({ subject }) => last.some((one) => one.subject === subject))
  })
}

const MAX_RECHECKS = 5

/**
 * Returns the findings that remain after several checks. Transfers and stores are only added, so a row that was not
 * visible yet on one machine appears later, and a real inconsistency stays. No locks are needed.
 */
async function recheck<Found>(
  tx: Tx,
  found: Found[],
  recheckDelayMs: number,
  check: (last: Found[]) => Promise<Found[]>,
): Promise<Found[]> {
  let still = found
  for (let checks = 0; tx.isDistributed && still.length > 0 && checks < MAX_RECHECKS; checks++) {
    await sleep(recheckDelayMs)
    still = await check(still)
  }
  return still
}

const toFinding = ({ check, subject, expected, found }: Finding): Finding => ({
  check,
  subject,
  expected,
  found,
})
