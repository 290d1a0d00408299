import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { CommitUnknown } from '../../src/database/errors.ts'
import { commitOnce } from '../../src/ops/commitOnce.ts'
import { type Cut, type CuttingProxy, startCuttingProxy } from '../setup/cuttingProxy.ts'
import { createTestDatabase } from '../setup/testDatabase.ts'

let close: () => Promise<void>
let proxy: CuttingProxy
let database: Database

beforeAll(async () => {
  const testDatabase = await createTestDatabase()
  proxy = await startCuttingProxy(testDatabase.url)
  database = openDatabase({
    url: proxy.url,
    poolSize: 2,
    poolTimeoutMs: 5_000,
    isDistributed: true,
  })
  await database.query('create table made (attempt text)')
  close = async () => {
    await database.close()
    await proxy.close()
    await testDatabase.drop()
  }
})
// Files share a process, so the clock of the last test must not stay stopped.
afterEach(() => void vi.restoreAllMocks())
afterAll(() => close())

/** Runs work whose COMMIT may be lost. `isVisible` simulates the worker, which may not show committed rows yet. */
async function lose(cut: Cut | null, isVisible: (attempt: string) => Promise<boolean>) {
  const attempts: string[] = []
  if (cut !== null) proxy.cutNext(cut)
  const done = commitOnce(database, async (tx, attempt) => {
    attempts.push(attempt)
    await tx.query('select pg_advisory_xact_lock(1, 1)')
    await tx.execute('insert into made values ($1)', [attempt])
    const proof = {
      lock: (laterTx: typeof tx) => laterTx.query('select pg_advisory_xact_lock(1, 1)'),
      isCommitted: () => isVisible(attempt),
    }
    return { result: attempt, proof }
  })
  const result = await done.catch((error: unknown) => error)
  const rows = await database.query('select from made where attempt = any($1)', [attempts])
  return { attempts, result, rowCount: rows.length }
}

it("waits for a COMMIT whose rows a worker doesn't show yet, and doesn't retry it", async () => {
  let lookups = 0
  const { attempts, result, rowCount } = await lose('reply', async () => ++lookups > 2)
  expect([lookups, attempts.length, rowCount]).toEqual([3, 1, 1])
  expect(result).toBe(attempts[0])
})

it('retries what the coordinator rolled back', async () => {
  const { attempts, result, rowCount } = await lose('never', async () => false)
  expect([attempts.length, rowCount]).toEqual([2, 1])
  expect(result).toBe(attempts[1])
})

/** COMMIT succeeds, but reports an error with this code. */
async function failAfterCommit<T>(code: string, work: () => Promise<T>): Promise<T> {
  const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  let isDone = false
  spy.mockImplementation(async function (this: pg.Client, ...args: unknown[]) {
    const result = await query.apply(this, args)
    if (args[0] !== 'commit' || isDone) return result
    isDone = true
    throw Object.assign(new Error('reported by the coordinator'), { code })
  } as typeof query as never)
  return work().finally(() => spy.mockRestore())
}

it.each(['XX000', '58030', '55P03'])(
  'looks up a COMMIT that fails with %s after it committed, and does not retry it',
  async (code) => {
    const lost = () => lose(null, async () => true)
    const { attempts, result, rowCount } = await failAfterCommit(code, lost)
    expect([attempts.length, rowCount]).toEqual([1, 1])
    expect(result).toBe(attempts[0])
  },
)

it.each(['40001', '40P01', '23505'])(
  'does not look up a COMMIT that was refused with %s',
  async (code) => {
    const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<unknown>
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    let refusals = 0
    spy.mockImplementation(async function (this: pg.Client, ...args: unknown[]) {
      if (args[0] !== 'commit' || refusals > 0) return query.apply(this, args)
      refusals += 1
      await query.call(this, 'rollback')
      throw Object.assign(new Error('refused'), { code })
    } as typeof query as never)
    const lookups = vi.fn(async () => true)
    const { attempts, result, rowCount } = await lose(null, lookups).finally(() =>
      spy.mockRestore(),
    )
    expect(lookups).not.toHaveBeenCalled()
    // Deadlocks and serialization failures are retried; a violated constraint is an error.
    expect([attempts.length, rowCount]).toEqual(code === '23505' ? [1, 0] : [2, 1])
    if (code === '23505') expect(result).toMatchObject({ code })
  },
)

it("the outcome is unknown if the rows don't show in time", async () => {
  const { attempts, result, rowCount } = await lose('reply', async () => {
    vi.spyOn(performance, 'now').mockReturnValue(Number.MAX_SAFE_INTEGER)
    return false
  })
  expect([attempts.length, rowCount]).toEqual([1, 1])
  expect(result).toBeInstanceOf(CommitUnknown)
})
