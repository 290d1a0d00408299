import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openNode } from '../../setup/anotherNode.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const PIN = '4711'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

let walletCount = 0
/** Creates a wallet with `PIN`, and returns its phone number. */
async function newWallet(): Promise<string> {
  const phone = `+4477009${String(++walletCount).padStart(5, '0')}`
  const profile = { mode: 'live', name: 'Ada', email: 'ada@example.com', phone, pin: PIN }
  const created = await t.call('POST', '/operator/wallets', t.operator, profile)
  expect(created.status).toBe(200)
  return phone
}
const signIn = async (phone: string, pin = PIN) =>
  (await t.call('POST', '/wallet/session', {}, { phone, pin })).status
async function hashOf(phone: string): Promise<string> {
  const sql = 'select pin_hash as hash from wallet where phone = $1'
  const [row] = await t.database.query<{ hash: string }>(sql, [phone])
  return row!.hash
}
async function setHash(phone: string, pinHash: string): Promise<void> {
  await t.database.transaction((tx) =>
    tx.execute('update wallet set pin_hash = $2 where phone = $1', [phone, pinHash]),
  )
}
const PEPPERED = /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+,keyid=[\w+/]{8}\$/

it('a PIN hash names its pepper, and matches its PIN only with this pepper', async () => {
  const pinHash = await hashOf(await newWallet())
  expect(pinHash).toMatch(PEPPERED)
  expect(await verify(pinHash, PIN)).toBe(false)
  expect(await verify(pinHash, PIN, { secret: randomBytes(32) })).toBe(false)
  expect(await verify(pinHash, PIN, { secret: t.service.pepper })).toBe(true)
})

it('a PIN hash without a pepper stays valid, and gets the pepper at the next sign-in', async () => {
  const phone = await newWallet()
  const old = await hash(PIN)
  await setHash(phone, old)
  expect(await signIn(phone, '0000')).toBe(401)
  expect(await hashOf(phone)).toBe(old)
  expect(await signIn(phone)).toBe(200)
  const renewed = await hashOf(phone)
  expect(renewed).toMatch(PEPPERED)
  expect([await signIn(phone, '0000'), await signIn(phone)]).toEqual([401, 200])
  expect(await hashOf(phone)).toBe(renewed)
})

it('a PIN of twelve digits that was set earlier stays valid', async () => {
  const phone = await newWallet()
  await setHash(phone, await hash('123456789012'))
  expect(await signIn(phone, '123456789012')).toBe(200)
})

it('concurrent sign-ins on two nodes succeed while the hash is replaced', async () => {
  const phone = await newWallet()
  await setHash(phone, await hash(PIN))
  const node = await openNode(t)
  try {
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async (_, n) =>
        n % 2 === 0
          ? signIn(phone)
          : (await node.call('POST', '/wallet/session', {}, { phone, pin: PIN })).status,
      ),
    )
    expect(statuses).toEqual(Array(10).fill(200))
  } finally {
    await node.close()
  }
})
