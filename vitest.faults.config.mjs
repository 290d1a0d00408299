import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { resolve } from './vitest.config.mjs'

// The seed of all random choices in a run.
process.env.FLORIN_SEED ??= String(randomInt(1_000_000))

// Tests that inject faults under load. They take minutes, and run one at a time.
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
