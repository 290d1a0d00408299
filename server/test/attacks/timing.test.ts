import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { PipelinedQuery } from '../../src/database/pipeline.ts'
import { createOperator } from '../setup/operators.ts'
import { createPerson } from '../setup/people.ts'
import type { Headers, TestService } from '../setup/testService.ts'

// Durations vary, so these tests compare the work that is done.
const counts = { hashes: 0, comparisons: 0, slowHashes: 0 }

let t: TestService
beforeAll(async () => {
  // Reload the modules, so that they import these mocks, which count calls.
  vi.resetModules()
  vi.doMock('node:crypto', async (original) => {
    const real = await original<typeof import('node:crypto')>()
    const hash = (...args: Parameters<typeof real.hash>) => {
      counts.hashes++
      return real.hash(...args)
    }
    const timingSafeEqual = (...args: Parameters<typeof real.timingSafeEqual>) => {
      counts.comparisons++
      return real.timingSafeEqual(...args)
    }
    return { ...real, hash, timingSafeEqual }
  })
  vi.doMock('@node-rs/argon2', async (original) => {
    const real = await original<typeof import('@node-rs/argon2')>()
    const verify = (...args: Parameters<typeof real.verify>) => {
      counts.slowHashes++
      return real.verify(...args)
    }
    return { ...real, verify }
  })
  const { startTestService } = await import('../setup/testService.ts')
  t = await startTestService()
})
afterAll(async () => {
  await t.close()
  for (const name of ['node:crypto', '@node-rs/argon2']) vi.doUnmock(name)
  vi.resetModules()
})

/** The statements that a request sends, and how many hashes and comparisons it computes. */
async function workOf(request: () => Promise<{ status: number }>) {
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  Object.assign(counts, { hashes: 0, comparisons: 0, slowHashes: 0 })
  try {
    const { status } = await request()
    const sent = queries.mock.calls.map(([query]) => query as unknown as PipelinedQuery | string)
    const statements = sent
      .flatMap((query) =>
        typeof query === 'string' ? [query] : query.statements.map(({ text }) => text),
      )
      .map((text) => text.replaceAll(/\s+/g, ' '))
      // The notification channel sends a periodic health check.
      .filter((text) => text !== 'select 1')
    return { status, statements, ...counts }
  } finally {
    queries.mockRestore()
  }
}

it('an unknown key takes the same work as a wrong secret, a revoked or an expired key', async () => {
  const { store, live } = await t.createStore()
  const [revoked, expired] = [await t.issue(store, 'live'), await t.issue(store, 'live')]
  await t.call('DELETE', `/operator/credentials/${revoked['api-key']}`, t.operator)
  await t.database.transaction((tx) =>
    tx.execute('update credential set expires_at = now() where api_key = $1', [expired['api-key']]),
  )
  const rotated = await t.issue(store, 'live')
  await t.call('POST', `/operator/credentials/${rotated['api-key']}/rotate`, t.operator, {})
  const attempts: Record<string, Headers> = {
    unknown: { 'api-key': `flk_live_${'a'.repeat(20)}`, 'api-secret': live['api-secret']! },
    wrong: { ...live, 'api-secret': `fls_live_${'a'.repeat(43)}` },
    revoked,
    expired,
    'a rotated key with a wrong secret': { ...rotated, 'api-secret': `fls_live_${'a'.repeat(43)}` },
  }
  const measurements = []
  for (const [caller, headers] of Object.entries(attempts)) {
    // First uncached, then cached: a cached key is read again, because its secret may be new.
    t.service.credentials.forget(headers['api-key']!)
    for (const round of [1, 2]) {
      const work = await workOf(() => t.call('GET', '/merchant/store', headers))
      measurements.push({ caller, round, work })
    }
  }
  for (const round of [1, 2]) {
    const expected = measurements.find((entry) => entry.round === round)!.work
    expect(expected).toMatchObject({ status: 401, hashes: round, comparisons: 2 * round })
    expect(expected.statements).toHaveLength(1)
    for (const { caller, work } of measurements.filter((entry) => entry.round === round)) {
      expect(work, caller).toEqual(expected)
    }
  }
})

describe('a sign-in takes the same work whether the account exists or not, before and after the lock', () => {
  /** Sends the same attempts for each account, which must take the same work. */
  async function expectSameWork(
    attempt: (name: string) => Promise<{ status: number }>,
    names: string[],
  ) {
    for (let n = 1; n <= 6; n++) {
      const measurements = []
      for (const name of names) measurements.push(await workOf(() => attempt(name)))
      expect(measurements[0]).toMatchObject({
        status: n <= 5 ? 401 : 403,
        slowHashes: n <= 5 ? 1 : 0,
      })
      for (const [i, work] of measurements.entries())
        expect(work, `${names[i]} ${n}`).toEqual(measurements[0])
    }
  }

  it.each(['/store/session', '/operator/session'])('%s', async (path) => {
    const { store } = await t.createStore()
    const isStore = path === '/store/session'
    const createAccount = async () => (isStore ? createPerson(t, store) : createOperator(t))
    const [known, disabledAccount] = [await createAccount(), await createAccount()]
    const id = Object.values(disabledAccount)[0] as string
    const collection = isStore ? 'people' : 'operators'
    await t.call('PATCH', `/operator/${collection}/${id}`, t.operator, { disabled: true })
    const names = [known.email, `nobody@${collection}.example`, disabledAccount.email]
    await expectSameWork((email) => t.call('POST', path, {}, { email, password: 'wrong' }), names)
  })

  it('/wallet/session', async () => {
    const phone = '+447700900555'
    const payer = { mode: 'live', name: 'Ada', email: 'a@example.com', phone, pin: '24680' }
    await t.call('POST', '/operator/wallets', t.operator, payer)
    const { wallet } = await t.createWallet()
    const names = [phone, '+447700900556', wallet.phone]
    await expectSameWork(
      (number) => t.call('POST', '/wallet/session', {}, { phone: number, pin: '1111' }),
      names,
    )
    const [row] = await t.database.query<{ locked: boolean; open: boolean }>(
      `select (select locked_until is not null from wallet where phone = $1) as locked,
         (select locked_until is null from wallet where phone = $2) as open`,
      [phone, wallet.phone],
    )
    expect(row).toEqual({ locked: true, open: true })
  })
})
