import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '../database/database.ts'
import {
  BOTH_SIDES,
  CHECK_NAMES,
  compareAgain,
  compareSides,
  countLedger,
  type Finding,
  type LedgerTotals,
  MAX_FINDINGS,
  runCheck,
  STORE_BALANCES,
} from '../sql/ledgerChecks.ts'
import { backendOf, databaseTime, freezeView } from '../sql/locks.ts'

export type LedgerAudit = {
  readonly totals: LedgerTotals
  readonly checks: readonly { readonly name: string; readonly findings: readonly Finding[] }[]
}

/** A check of a ledger with many millions of rows takes its time. */
const MAX_CHECK_MS = 3_600_000

type Watched = {
  readonly onCheck?: (name: string) => void
  readonly onBegin?: (backend: number) => void
  /** How long to wait on a cluster before what seems wrong is looked at again. */
  readonly lookAgainMs?: number
}

/** Proves from the rows alone that the money is right, or says where it is not. Changes nothing. */
export async function auditLedger(
  database: Database,
  { onCheck, onBegin, lookAgainMs = 3_000 }: Watched = {},
): Promise<LedgerAudit> {
  return database.transaction(
    async (tx) => {
      // Several machines have no moment in common. But whatever is of one store, or of one wallet, is on one
      // machine, which checks it by itself and sees all of a change or nothing.
      if (!tx.isDistributed) await freezeView(tx)
      onBegin?.(await backendOf(tx))
      const checks: { name: string; findings: Finding[] }[] = []
      for (const name of CHECK_NAMES) {
        onCheck?.(name)
        const run = { [BOTH_SIDES]: checkSides, [STORE_BALANCES]: checkStoreBalances }[name]
        checks.push({ name, findings: run ? await run(tx, lookAgainMs) : await runCheck(tx, name) })
      }
      return { totals: await countLedger(tx), checks }
    },
    { statementTimeoutMs: MAX_CHECK_MS },
  )
}

const MAX_TRIES = 5

/**
 * Stores against wallets, which on a cluster are on different machines and read some time apart. What moves
 * meanwhile is left to the next audit.
 */
async function checkSides(tx: Tx, lookAgainMs: number): Promise<Finding[]> {
  const from = await databaseTime(tx)
  const until = new Date(from.getTime() + MAX_TRIES * MAX_CHECK_MS)
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const found = await compareSides(tx, tx.isDistributed ? { from, until } : null)
    const still = await stillThere(tx, found, lookAgainMs, (last) => compareAgain(tx, last))
    // A full list may have left others out.
    if (still.length > 0 || found.length < MAX_FINDINGS) return still.map(toFinding)
  }
  throw new Error('Too much moves to compare stores with wallets: audit at a quieter hour')
}

/** A store that is being made may be seen on one machine before the other. */
async function checkStoreBalances(tx: Tx, lookAgainMs: number): Promise<Finding[]> {
  return stillThere(tx, await runCheck(tx, STORE_BALANCES), lookAgainMs, async (last) => {
    const again = await runCheck(tx, STORE_BALANCES)
    return again.filter(({ subject }) => last.some((one) => one.subject === subject))
  })
}

const MAX_LOOKS = 5

/**
 * What is found again each time. Transfers and stores are only ever added, so that what was not there yet on
 * one of several machines comes by itself, and what is wrong stays: nothing has to be locked.
 */
async function stillThere<Found>(
  tx: Tx,
  found: Found[],
  lookAgainMs: number,
  look: (last: Found[]) => Promise<Found[]>,
): Promise<Found[]> {
  let still = found
  for (let looks = 0; tx.isDistributed && still.length > 0 && looks < MAX_LOOKS; looks++) {
    await sleep(lookAgainMs)
    still = await look(still)
  }
  return still
}

const toFinding = ({ check, subject, expected, found }: Finding): Finding => ({
  check,
  subject,
  expected,
  found,
})
