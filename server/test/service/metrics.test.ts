import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createMetrics } from '../../src/metrics.ts'

const BLOCK_MS = 3_000

it('does not report the start as a stall of the event loop', async () => {
  const metrics = createMetrics()
  await sleep(50)
  const endMs = performance.now() + BLOCK_MS
  while (performance.now() < endMs);
  await metrics.forgetStart()
  await sleep(50)
  const [, seconds] = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(await metrics.text())!
  expect(Number(seconds)).toBeLessThan(BLOCK_MS / 1000)
})
