import { defineConfig } from 'vitest/config'
import faults from './vitest.faults.config.mjs'

// A cluster of PostgreSQL servers and two nodes of the service, which lose their leader again and again.
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
