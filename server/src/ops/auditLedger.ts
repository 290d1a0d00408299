import type { Database } from '../database/database.ts'
import {
  CHECK_NAMES,
  countLedger,
  type Finding,
  type LedgerTotals,
  runCheck,
} from '../store/ledgerChecks.ts'
import { backendOf, freezeView } from '../store/locks.ts'

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
      await freezeView(tx)
      onBegin(await backendOf(tx))
      const checks: { name: string; findings: Finding[] }[] = []
      for (const name of CHECK_NAMES) {
        onCheck(name)
        checks.push({ name, findings: await runCheck(tx, name) })
      }
      return { totals: await countLedger(tx), checks }
    },
    { statementMs: MAX_CHECK_MS },
  )
}
