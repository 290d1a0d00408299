import { defineConfig } from 'vitest/config'
import { resolve } from './vitest.config.mjs'

// Tests with real shops, which are installed from npm. They take minutes, and run one at a time.
export default defineConfig({
  resolve,
  test: {
    globalSetup: 'server/test/shops/report.ts',
    include: ['server/test/shops/**/*.shop.ts'],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 20 * 60_000,
    bail: 1,
  },
})
