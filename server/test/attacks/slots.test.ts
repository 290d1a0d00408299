import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import {
  PINS_OF_FRESH_NETWORKS_PER_MINUTE,
  PINS_PER_MINUTE,
} from '../../src/api/kit/account/signInLimits.ts'
import type { TestService } from '../setup/testService.ts'

const PIN = '4711'
const WRONG_PIN = '0000'

let t: TestService
/** Hash verifications wait for this promise, so that a test can keep slots busy. */
let gate = Promise.resolve()

beforeAll(() => {
  // Reload the modules, so that they import this mock.
  vi.resetModules()
  vi.doMock('@node-rs/argon2', async (original) => {
    const real = await original<typeof import('@node-rs/argon2')>()
    const verify = async (...args: Parameters<typeof real.verify>) => {
      await gate
      return args[1] !== WRONG_PIN && real.verify(...args)
    }
    return { ...real, verify }
  })
})
// A separate service for each test, because all wrong PINs of a service are counted together.
beforeEach(async () => {
  const { startTestService } = await import('../setup/testService.ts')
  t = await startTestService()
})
afterEach(() => {
  vi.restoreAllMocks()
  return t.close()
})
afterAll(() => {
  vi.doUnmock('@node-rs/argon2')
  vi.resetModules()
})

let counter = 0
const newNetwork = () => `10.${++counter >> 8}.${counter & 255}.1`
const unknownPhone = () => `+15557${String(++counter).padStart(6, '0')}`
const signIn = (phone: string, pin: string, remoteAddress = newNetwork()) =>
  t.app.inject({
    method: 'POST',
    url: '/wallet/session',
    remoteAddress,
    payload: { phone, pin },
  })
const guess = async (from?: string) => (await signIn(unknownPhone(), WRONG_PIN, from)).statusCode

/** Makes hash verifications wait. Returns a function that lets them continue. */
function closeGate(): () => void {
  let open = () => {}
  gate = new Promise((resolve) => {
    open = resolve
  })
  return open
}

/** Fills the slot and the queue of unknown devices while `work` runs. */
async function whileFlooded(work: () => Promise<void>): Promise<void> {
  const open = closeGate()
  let full = 0
  const flood = Array.from({ length: 210 }, async () => {
    if ((await guess()) === 503) full += 1
  })
  try {
    await vi.waitFor(() => expect(full).toBe(9), { timeout: 30_000, interval: 5 })
    await work()
  } finally {
    open()
    await Promise.all(flood)
  }
}

it('an attempt without a slot gets 503 and is not counted: the right PIN works afterwards', async () => {
  const phone = '+447700900123'
  const profile = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: PIN }
  await t.call('POST', '/operator/wallets', t.operator, profile)
  await whileFlooded(async () => {
    for (let n = 0; n < 6; n++) {
      const { statusCode, headers } = await signIn(phone, PIN)
      expect([statusCode, headers['retry-after']]).toEqual([503, '1'])
    }
  })
  const guards = 'select 1 from sign_in_guard where subject = $1'
  expect(await t.database.query(guards, [`wallet:${phone}`])).toEqual([])
  expect((await signIn(phone, PIN)).statusCode).toBe(200)
})

it('an attempt without a slot is not counted for its address', async () => {
  const from = newNetwork()
  await whileFlooded(async () => {
    const statuses = await Promise.all(Array.from({ length: 59 }, () => guess(from)))
    expect(statuses).toEqual(Array(59).fill(503))
  })
  // Together with the 59 above they would exceed the limit of an address.
  const laterGuesses = await Promise.all(Array.from({ length: 30 }, () => guess(from)))
  expect(laterGuesses).toEqual(Array(30).fill(401))
})

it('attempts at one account take at most 20 places in the queue', async () => {
  const phone = '+447700900125'
  const profile = { mode: 'live', name: 'Eve', email: 'eve@example.com', phone, pin: PIN }
  await t.call('POST', '/operator/wallets', t.operator, profile)
  const open = closeGate()
  let refused = 0
  const ownSignIns = Array.from({ length: 120 }, async () => {
    const { statusCode } = await signIn(phone, PIN)
    if (statusCode === 503) refused += 1
    return statusCode
  })
  const other = guess()
  await vi.waitFor(() => expect(refused).toBe(100), { timeout: 30_000, interval: 5 })
  open()
  expect((await Promise.all(ownSignIns)).filter((status) => status === 200)).toHaveLength(20)
  expect(await other).toBe(401)
})

it('a botnet that tries one PIN on many wallets is limited, and known devices are not affected', async () => {
  // Counts decay over time, so the clock is stopped.
  vi.spyOn(performance, 'now').mockReturnValue(performance.now())
  const phone = '+447700900126'
  const profile = { mode: 'live', name: 'Joe', email: 'joe@example.com', phone, pin: PIN }
  await t.call('POST', '/operator/wallets', t.operator, profile)
  const first = await signIn(phone, PIN)
  const { device_token, token } = first.json().data
  const totalLimit = PINS_PER_MINUTE + PINS_OF_FRESH_NETWORKS_PER_MINUTE
  const statuses: number[] = []
  for (let n = 0; n < totalLimit + 10; n += 10) {
    statuses.push(...(await Promise.all(Array.from({ length: 10 }, () => guess()))))
  }
  expect(statuses).toEqual([...Array(totalLimit).fill(401), ...Array(10).fill(429)])
  expect((await signIn(phone, PIN)).statusCode).toBe(429)
  const known = await t.call('POST', '/wallet/session', {}, { phone, pin: PIN, device_token })
  expect(known.status).toBe(200)
  const me = await t.call('GET', '/wallet/me', { authorization: `Bearer ${token}` })
  expect(me.status).toBe(200)
})
