import { defineConfig } from 'vitest/config'
import { EXCEPTIONS } from './server/test/citus/cluster/exceptions.ts'
import { shared } from './vitest.config.mjs'
import faults from './vitest.faults.config.mjs'

// Tests a real Citus cluster: suites of the service, plans, kills and moved shards.
export default defineConfig({
  ...faults,
  test: {
    ...faults.test,
    globalSetup: ['server/test/citus/cluster/globalSetup.ts', shared.globalSetup],
    setupFiles: shared.setupFiles,
    restoreMocks: shared.restoreMocks,
    expect: shared.expect,
    testNamePattern: new RegExp(`^(?!.*(${EXCEPTIONS.map(({ test }) => test).join('|')}))`),
    include: ['server/test/citus/cluster/**/*.citus.ts'],
    testTimeout: 10 * 60_000,
    hookTimeout: 180_000,
  },
})
