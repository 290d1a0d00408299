import pg from 'pg'
import { type AuditScope, auditLedger } from '../../src/ops/auditLedger.ts'
import { makeHistory, moveToPast, type PlaceholderValues } from './ledgerHistory.ts'
import { startTestService } from './testService.ts'

export type SealedLedger = Awaited<ReturnType<typeof startSealedLedger>>

/** A service whose payments, of every kind, are ten days old and sealed. */
export async function startSealedLedger() {
  const t = await startTestService()
  const client = new pg.Client({ connectionString: t.databaseUrl })
  await client.connect()
  const { database } = t

  const audit = (
    scope: AuditScope,
    {
      secretKey = t.service.secretKey,
      ...options
    }: Parameters<typeof auditLedger>[1] & { secretKey?: Buffer } = {},
  ) =>
    auditLedger(database, {
      seals: { secretKey, scope },
      spotCheckMs: 0,
      recheckDelayMs: 1,
      ...options,
    })
  const findings = async (...args: Parameters<typeof audit>) =>
    (await audit(...args)).checks.flatMap((check) => check.findings)

  const old: PlaceholderValues = await makeHistory(t)
  await moveToPast(client, 10)
  const first = await audit('new')
  return {
    t,
    client,
    audit,
    findings,
    old,
    /** The first audit, which sealed the old days. */
    first,
    async close(): Promise<void> {
      await client.end()
      await t.close()
    },
  }
}
