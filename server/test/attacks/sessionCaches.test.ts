import { Agent, get } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { mintToken } from '../../src/core/ids.ts'
import type { Database } from '../../src/database/database.ts'
import { CACHE, createLookups } from '../../src/lookups.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

const CACHES = [
  ['personSessions', 'flp_'],
  ['operatorSessions', 'flc_'],
  ['walletSessions', 'flw_1_'],
  ['operatorTokens', 'flo_'],
] as const

afterEach(() => vi.restoreAllMocks())

describe.each(CACHES)('%s', (name, prefix) => {
  it('looks up and caches only what has the format of a token', async () => {
    // Entries must not expire while the test runs.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const query = vi.fn(async () => [])
    const cache = createLookups({ query } as unknown as Database, () => new Date())[name]
    const token = mintToken(prefix)
    expect(await cache.get(token)).toBeNull()
    for (let n = 0; n < CACHE.maxEntries; n++) {
      expect(await cache.get(`${token}${n}`)).toBeNull()
    }
    expect(await cache.get(token)).toBeNull()
    expect(query).toHaveBeenCalledTimes(1)
    cache.forget(`${token}0`)
    cache.forget(token)
    expect(await cache.get(token)).toBeNull()
    expect(query).toHaveBeenCalledTimes(2)
  })
})

describe('a thousand requests with cookies of 8 KB', () => {
  // Don't inject the requests: an injected one stays in memory for a second.
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  let t: TestService
  let origin: string
  beforeAll(async () => {
    t = await startTestService()
    origin = await t.app.listen({ host: '127.0.0.1', port: 0 })
  })
  afterAll(async () => {
    agent.destroy()
    await t.close()
  })

  const REQUESTS = 1000
  const filler = 'a'.repeat(8000)

  function send(url: string, cookie: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const request = get(`${origin}${url}`, { agent, headers: { cookie } }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode))
      })
      request.on('error', reject)
    })
  }

  async function heapPerRequest(url: string, cookieOf: (n: number) => string): Promise<number> {
    await send(url, cookieOf(-1))
    const before = usedHeap()
    for (let n = 0; n < REQUESTS; n += 50) {
      const cookies = Array.from({ length: 50 }, (_, i) => cookieOf(n + i))
      const statuses = await Promise.all(cookies.map((cookie) => send(url, cookie)))
      expect(statuses.filter((status) => status !== 401 && status !== 429)).toEqual([])
    }
    return (usedHeap() - before) / REQUESTS
  }

  describe.each([
    ['/store/session', '__Host-florin_person', 'flp_'],
    ['/operator/session', '__Host-florin_operator', 'flc_'],
    ['/wallet/me', '__Host-florin_wallet', 'flw_1_'],
  ])('to %s', (url, name, prefix) => {
    it('leave no invalid cookie in memory', async () => {
      const cookieOf = (n: number) => `${name}=%E2%82%AC${n}${filler}`
      expect(await heapPerRequest(url, cookieOf)).toBeLessThan(4000)
    })

    it('leave no header in memory that contains an unknown token', async () => {
      const cookieOf = (n: number) => `filler=${n}${filler}; ${name}=${mintToken(prefix)}`
      expect(await heapPerRequest(url, cookieOf)).toBeLessThan(4000)
    })
  })
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function usedHeap(): number {
  collectGarbage()
  return process.memoryUsage().heapUsed
}
