import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../src/database/database.ts'
import { verifyAuditChain } from '../../src/ops/auditChain.ts'
import { auditLedger } from '../../src/ops/auditLedger.ts'
import { runCommandLineAudit } from '../../src/ops/ledgerAudits.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const problems: unknown[] = []
const STARTED = {
  startedBy: 'cli:test',
  isFull: false,
  onUnrecorded: (error: unknown) => void problems.push(error),
}

async function audit() {
  const { secretKey } = t.service
  const ledger = await auditLedger(t.database, { seals: { secretKey, scope: 'new' } })
  return { ledger, chain: await verifyAuditChain(t.database, secretKey), findings: [] }
}

it('returns its result even if it cannot be recorded', async () => {
  let transactions = 0
  const database: Database = {
    ...t.database,
    transaction: (work, options) =>
      transactions++ === 0
        ? t.database.transaction(work, options)
        : Promise.reject(new Error('The connection is lost.')),
  }
  const result = await runCommandLineAudit(database, STARTED, audit)
  expect(result.ledger.checks.length).toBeGreaterThan(10)
  expect(problems).toEqual([new Error('The connection is lost.')])
})

it('fails if the audit itself fails', async () => {
  const failing = runCommandLineAudit(t.database, STARTED, () =>
    Promise.reject(new Error('The database is unavailable.')),
  )
  await expect(failing).rejects.toThrow('The database is unavailable.')
})
