import { randomBytes } from 'node:crypto'
import { verify } from '@node-rs/argon2'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashActivationCode } from '../../src/core/activation.ts'
import { hashToken } from '../../src/core/ids.ts'
import { matchesPin } from '../../src/ops/pins.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

// An attacker has a copy of the database, but neither the pepper nor the secret key.
let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const createWallet = async (body: object) =>
  (
    await t.call('POST', '/operator/wallets', t.operator, {
      mode: 'live',
      name: 'Ada',
      email: 'ada@example.com',
      ...body,
    })
  ).body.data

/** The right PIN and a sample of the others. A wrong pepper makes even the right PIN fail, so a longer search fails too. */
const GUESSES = ['4711', '0000', '1234', '2580', '4710', '4712', '9999']

it('a PIN cannot be guessed without the pepper', async () => {
  const { id } = await createWallet({ phone: '+447700900001', pin: '4711' })
  const [row] = await t.database.query<{ pinHash: string }>(
    'select pin_hash as "pinHash" from wallet where wallet_id = $1',
    [id],
  )
  const { pinHash } = row!
  const wrongPeppers = [randomBytes(32), randomBytes(32), Buffer.alloc(32)]
  for (const pin of GUESSES) {
    for (const pepper of wrongPeppers) {
      expect(await matchesPin(pinHash, pin, pepper), pin).toBe(false)
    }
    // Without any pepper, and with the stored key id, which is a part of the pepper's hash.
    expect(await verify(pinHash, pin), pin).toBe(false)
    const keyId = /keyid=([A-Za-z0-9+/]+)/.exec(pinHash)![1]!
    expect(await verify(pinHash, pin, { secret: Buffer.from(keyId, 'base64') }), pin).toBe(false)
  }
  const right: string[] = []
  for (const pin of GUESSES) {
    if (await matchesPin(pinHash, pin, t.service.pepper)) right.push(pin)
  }
  expect(right).toEqual(['4711'])
})

it('an activation code cannot be guessed without the pepper', async () => {
  const { activation, id } = await createWallet({ phone: '+447700900002' })
  const [row] = await t.database.query<{ codeHash: Buffer }>(
    'select code_hash as "codeHash" from wallet_activation where wallet_id = $1',
    [id],
  )
  const { codeHash } = row!
  const bare = activation.code.replaceAll('-', '')
  // A code has 60 bits and is valid for 24 hours. With a plain hash, an attacker with enough hardware could find it in time.
  for (const text of [activation.code, bare, activation.url]) {
    expect(hashToken(text).equals(codeHash)).toBe(false)
  }
  expect(hashActivationCode(activation.code, randomBytes(32)).equals(codeHash)).toBe(false)
  expect(hashActivationCode(activation.code, t.service.pepper).equals(codeHash)).toBe(true)
})
