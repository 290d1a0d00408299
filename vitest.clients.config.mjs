import { defineConfig } from 'vitest/config'
import { resolve, shared } from './vitest.config.mjs'

// All tests of the clients, with the checks of their packages, which need more programs.
export default defineConfig({
  resolve,
  test: { ...shared, testTimeout: 300_000, include: ['clients/test/**/*.{test,check}.ts'] },
})
