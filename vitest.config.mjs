import { defineConfig } from 'vitest/config'

export const shared = {
  globalSetup: 'server/test/setup/globalSetup.ts',
  // One process per file, two at a time: the tests share one PostgreSQL with whatever cores there are.
  pool: 'forks',
  maxWorkers: 2,
  testTimeout: 60_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    ...shared,
    include: ['server/test/**/*.test.ts', 'cli/test/**/*.test.ts', 'sdk/test/**/*.test.ts'],
  },
})
