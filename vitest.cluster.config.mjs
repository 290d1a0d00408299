import { defineConfig } from 'vitest/config'
import faults from './vitest.faults.config.mjs'

// Tests failovers, partitions and rolling restarts with two nodes of the service and three PostgreSQL servers.
export default defineConfig({
  ...faults,
  test: {
    ...faults.test,
    globalSetup: [faults.test.globalSetup, 'server/test/cluster/globalSetup.ts'],
    include: ['server/test/cluster/**/*.cluster.ts'],
    testTimeout: 15 * 60_000,
    hookTimeout: 180_000,
  },
})
