import { afterAll, beforeAll } from 'vitest'
import { pretendDistributed } from '../../setup/testService.ts'

// Runs suites of `npm test` on databases of the cluster.
beforeAll(() => pretendDistributed(true))
const SUITES = [
  'service/smoke',
  'service/races',
  'service/linkRaces',
  'service/operatorRaces',
  'webhooks/delivery',
  'api/merchant/create',
  'api/merchant/read',
  'api/merchant/refund',
  'api/merchant/limits',
  'api/operator/overview',
  'ops/archiveCorruptions',
  'ops/archiveLedger',
  'ops/auditLedger',
  'ops/ledgerSeals',
  'ops/payers',
  'ops/sealedCorruptions',
  'privacy/clients',
  'privacy/payers',
  'privacy/races',
  'privacy/retention',
]
for (const file of SUITES) await import(/* @vite-ignore */ `../../${file}.test.ts?cluster`)
afterAll(() => pretendDistributed(false))
