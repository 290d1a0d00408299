import { defineConfig } from 'vitest/config'
import { resolve } from './vitest.config.mjs'

// A cluster of PostgreSQL servers and two nodes of the service, which lose their leader again and again.
export default defineConfig({
  resolve,
  test: {
    include: ['server/test/cluster/*.cluster.ts'],
    pool: 'forks',
    // They share the machine with a whole cluster.
    fileParallelism: false,
    testTimeout: 15 * 60_000,
    hookTimeout: 180_000,
  },
})
