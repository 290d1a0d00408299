import { randomInt } from 'node:crypto'
import { defineConfig } from 'vitest/config'
import { resolve, shared } from './vitest.config.mjs'

process.env.FLORIN_SOAK = '1'
process.env.FLORIN_SEED ??= String(randomInt(1_000_000))
console.log(`FLORIN_SEED=${process.env.FLORIN_SEED} repeats this run.`)

// Tests with random or hostile requests, of which `npm test` sends a part.
export default defineConfig({
  resolve,
  test: {
    ...shared,
    include: [
      'server/test/hostile/stall.test.ts',
      'server/test/openapi/generated.test.ts',
      'server/test/service/model.test.ts',
    ],
  },
})
