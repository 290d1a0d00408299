import { afterEach, expect, it, vi } from 'vitest'
import { Overloaded } from '../../src/core/limitConcurrency.ts'
import { inLockQueue } from '../../src/ops/lockQueue.ts'
import { expectRefusedAfter15Seconds } from '../setup/overloaded.ts'

afterEach(() => vi.useRealTimers())

const lockTimeout = Object.assign(new Error('canceling statement'), { code: '55P03' })
/** Work that takes until `finish` is called. */
function createWork() {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { work: () => finished, finish }
}

it('refuses the waiting work after a lock timeout, and runs later work again', async () => {
  let tries = 0
  const attempt = () =>
    inLockQueue('store 1', async () => {
      tries += 1
      throw lockTimeout
    })
  const results = await Promise.allSettled([attempt(), attempt(), attempt()])
  const reasons = results.map((result) => result.status === 'rejected' && result.reason)
  expect(reasons).toEqual([lockTimeout, expect.any(Overloaded), expect.any(Overloaded)])
  expect(tries).toBe(1)
  await expect(attempt()).rejects.toBe(lockTimeout)
})

it('refuses a request after 15 seconds behind others of the same store', async () => {
  vi.useFakeTimers()
  const { work, finish } = createWork()
  const running = inLockQueue('store 2', work)
  await expectRefusedAfter15Seconds(inLockQueue('store 2', work))
  finish()
  await running
})

it('runs four at a time, and refuses another store after 15 seconds', async () => {
  vi.useFakeTimers()
  const { work, finish } = createWork()
  const running = [2, 3, 4, 5].map((n) => inLockQueue(`store ${n}`, work))
  await expectRefusedAfter15Seconds(inLockQueue('store 6', work))
  finish()
  await Promise.all(running)
  await inLockQueue('store 6', work)
})
