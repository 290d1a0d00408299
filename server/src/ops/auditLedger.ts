import type { Database, Tx } from '../database/database.ts'
import {
  BOTH_SIDES,
  CHECK_NAMES,
  compareSides,
  countLedger,
  type Finding,
  type LedgerTotals,
  MAX_FINDINGS,
  runCheck,
} from '../store/ledgerChecks.ts'
import { backendOf, freezeView, lock } from '../store/locks.ts'

export type LedgerAudit = {
  readonly totals: LedgerTotals
  readonly checks: readonly { readonly name: string; readonly findings: readonly Finding[] }[]
}

/** A check of a ledger with many millions of rows takes its time. */
const MAX_CHECK_MS = 3_600_000

/** Proves from the rows alone that the money is right, or says where it is not. Changes nothing. */
export async function auditLedger(
  database: Database,
  onCheck: (name: string) => void = () => {},
  onBegin: (backend: number) => void = () => {},
): Promise<LedgerAudit> {
  return database.transaction(
    async (tx) => {
      // Several machines have no moment in common. But whatever is of one store, or of one wallet, is on one
      // machine, which checks it by itself and sees all of a change or nothing.
      if (!database.isSpread) await freezeView(tx)
      onBegin(await backendOf(tx))
      const checks: { name: string; findings: Finding[] }[] = []
      for (const name of CHECK_NAMES) {
        onCheck(name)
        const isOfBoth = name === BOTH_SIDES
        const findings = isOfBoth ? await compareAll(database, tx) : await runCheck(tx, name)
        checks.push({ name, findings })
      }
      return { totals: await countLedger(tx), checks }
    },
    { statementMs: MAX_CHECK_MS },
  )
}

const MAX_TRIES = 10

/**
 * Stores against wallets, which may be on different machines and be read a moment apart. So what seems to be
 * wrong there is looked at again under the locks of its stores, where nothing moves.
 */
async function compareAll(database: Database, tx: Tx): Promise<Finding[]> {
  for (let tries = 1; tries <= MAX_TRIES; tries++) {
    const found = await compareSides(tx, null)
    if (!database.isSpread || found.length === 0) return found.map(toFinding)
    const stores = [...new Set(found.map((one) => one.storeId))]
    const still = await database.transaction(
      async (quiet) => {
        await lock(quiet, { stores })
        return compareSides(quiet, stores)
      },
      { statementMs: MAX_CHECK_MS },
    )
    // A full list may have left others out.
    if (still.length > 0 || found.length < MAX_FINDINGS) return still.map(toFinding)
  }
  throw new Error('Too much moves to compare stores with wallets: audit at a quieter hour')
}

const toFinding = ({ check, subject, expected, found }: Finding): Finding => ({
  ...{ check, subject, expected, found },
})
