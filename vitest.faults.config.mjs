import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { resolve } from './vitest.config.mjs'

// Whatever is drawn in a run is drawn from this, in every file of it.
process.env.FLORIN_SEED ??= String(randomInt(1_000_000))

// Tests that break things under load; they take minutes, and one at a time so that each has its load.
export default defineConfig({
  resolve,
  test: {
    globalSetup: 'server/test/faults/globalSetup.ts',
    include: ['server/test/faults/**/*.fault.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
})
