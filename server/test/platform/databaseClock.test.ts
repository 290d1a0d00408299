import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { createThrottle } from '../../src/api/kit/http/throttle.ts'
import { openDatabase } from '../../src/database/database.ts'
import { createCache } from '../../src/platform/cache.ts'
import { createDatabaseClock } from '../../src/platform/databaseClock.ts'
import { readDatabaseTime } from '../../src/sql/locks.ts'
import { createTestDatabase, type TestDatabase } from '../setup/testDatabase.ts'

const DAY_MS = 24 * 3_600_000

let test: TestDatabase
beforeAll(async () => {
  test = await createTestDatabase()
})
afterAll(() => test.drop())
afterEach(() => void vi.useRealTimers())

/** Simulates a change of the machine's clock. */
function setClock(wrongByMs: number): void {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(Date.now() + wrongByMs)
}

it.each([DAY_MS, -DAY_MS])(
  'the time of the database does not depend on a machine clock that is wrong by %d ms',
  async (wrongByMs) => {
    const trueMs = Date.now()
    const database = openDatabase({ url: test.url, poolSize: 2, poolTimeoutMs: 5_000 })
    setClock(wrongByMs)
    const clock = createDatabaseClock(() => readDatabaseTime(database))
    await clock.sync()
    expect(Math.abs(clock.now().getTime() - trueMs)).toBeLessThan(60_000)
    await database.close()
  },
)

it('a clock that is set back extends neither throttling nor cache entries', async () => {
  const limit = createThrottle('test', 1_000)
  limit.take('key')
  let loads = 0
  const cache = createCache(async () => ++loads, { maxAgeMs: 20, maxEntries: 10 })
  await cache.get('key')
  setClock(-DAY_MS)
  expect(limit.take('key')).toBe(true)
  await vi.waitFor(async () => expect(await cache.get('key')).toBeGreaterThan(1), 20_000)
})
