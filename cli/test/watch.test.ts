import { setTimeout as sleep } from 'node:timers/promises'
import { ConnectionError } from '@florin/sdk'
import { afterEach, expect, it, vi } from 'vitest'
import type { Merchant } from '../src/merchant.ts'
import { watch } from '../src/watch.ts'

const { isTTY } = process.stderr
afterEach(() => {
  process.stderr.isTTY = isTTY
  vi.useRealTimers()
  vi.restoreAllMocks()
})

it.each([3_000_000, 5_000_000])('waits with a timeout of %i seconds', async (timeout) => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const payments = {
    retrieve: async () => ({ status: 'pending', expires_at: '2100-01-01 00:00:00' }),
    async waitUntilSettled(_id: string, { signal }: { signal: AbortSignal }) {
      await sleep(20)
      signal.throwIfAborted()
      return { status: 'completed' }
    },
  }
  const merchant = { florin: { payments } } as unknown as Merchant
  expect(await watch(merchant, 'pay_1', { timeout })).toBe(0)
})

it('clears its progress before an error is printed', async () => {
  vi.useFakeTimers()
  process.stderr.isTTY = true
  const written: string[] = []
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text))
    return true
  })
  const payments = {
    retrieve: async () => ({ status: 'pending', expires_at: '2100-01-01 00:00:00' }),
    async waitUntilSettled() {
      await vi.advanceTimersByTimeAsync(1_000)
      throw new ConnectionError('The service has stopped')
    },
  }
  const merchant = { florin: { payments } } as unknown as Merchant
  await expect(watch(merchant, 'pay_1', {})).rejects.toThrow('The service has stopped')
  expect(written).toEqual([expect.stringContaining('Waiting for the payer'), '\r\x1b[K'])
  expect(vi.getTimerCount()).toBe(0)
})
