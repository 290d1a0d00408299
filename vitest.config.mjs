import { defineConfig } from 'vitest/config'
import { fromSource } from './fromSource.mjs'

export const resolve = { alias: fromSource }

export const shared = {
  globalSetup: 'server/test/setup/globalSetup.ts',
  setupFiles: 'server/test/citus/record.ts',
  // Two processes, which share one PostgreSQL with whatever cores there are. Each takes file after file
  // and keeps the code that it has loaded, which for all files takes as long as a third of their tests.
  pool: 'forks',
  maxWorkers: 2,
  isolate: false,
  restoreMocks: true,
  testTimeout: 60_000,
  // A busy machine may take its time; what never comes is still found.
  expect: { poll: { timeout: 20_000 } },
  hookTimeout: 120_000,
}

export default defineConfig({
  resolve,
  test: { ...shared, include: ['{shared,server,cli,web,sdk}/test/**/*.test.ts'] },
})
