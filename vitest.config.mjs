import { defineConfig } from 'vitest/config'
import { fromSource } from './fromSource.mjs'

export const resolve = { alias: fromSource }

export const shared = {
  globalSetup: 'server/test/setup/globalSetup.ts',
  setupFiles: 'server/test/citus/record.ts',
  // One process per file, two at a time: the tests share one PostgreSQL with whatever cores there are.
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  resolve,
  test: { ...shared, include: ['{shared,server,cli,web,sdk}/test/**/*.test.ts'] },
})
