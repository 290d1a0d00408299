import { defineConfig } from 'vitest/config'
import { fromSource } from './fromSource.mjs'

export const resolve = { alias: fromSource }

export const shared = {
  globalSetup: 'server/test/setup/globalSetup.ts',
  setupFiles: 'server/test/citus/record.ts',
  // Two processes share one PostgreSQL. Without isolation, each keeps its loaded modules between files; loading them
  // again would take a third of the test time.
  pool: 'forks',
  maxWorkers: 2,
  isolate: false,
  restoreMocks: true,
  testTimeout: 60_000,
  // Generous, because the machine may be busy.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 120_000,
}

export default defineConfig({
  resolve,
  test: { ...shared, include: ['{shared,server,cli,web,sdk}/test/**/*.test.ts'] },
})
