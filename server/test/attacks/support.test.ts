import { afterAll, beforeAll, expect, it } from 'vitest'
import { createOperator, createTestToken } from '../setup/operators.ts'
import { type Headers, startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const REFUSED = {
  status: 429,
  message:
    'This wallet was unlocked 3 times within 24 hours. Ask an admin, or create an activation code.',
}

it('support cannot try all PINs of a wallet by unlocking it again and again', async () => {
  const { wallet } = await t.createWallet()
  const path = `/operator/wallets/${wallet.publicId}`
  const support = (await createOperator(t, 'support')).headers
  const other = (await createOperator(t, 'support')).headers
  const token = (await createTestToken(t, { operatorId: null, scopes: ['support'] })).headers
  const unlock = (headers: Headers) => t.call('POST', `${path}/unlock`, headers)

  expect((await unlock(support)).status).toBe(200)
  expect((await t.call('POST', `${path}/lock`, support)).status).toBe(200)
  expect((await unlock(support)).status).toBe(200)
  expect((await unlock(other)).status).toBe(200)
  for (const headers of [support, other, token]) {
    expect((await unlock(headers)).body).toEqual(REFUSED)
  }
  // An admin can set the PIN, and needs no guesses.
  expect((await unlock((await createOperator(t, 'admin')).headers)).status).toBe(200)

  const otherWallet = await t.createWallet()
  const second = `/operator/wallets/${otherWallet.wallet.publicId}/unlock`
  expect((await t.call('POST', second, support)).status).toBe(200)
})

it('support cannot choose the PIN of a live wallet, with which they could spend its money later', async () => {
  const support = (await createOperator(t, 'support')).headers
  const create = (headers: Headers, fields: object) =>
    t.call('POST', '/operator/wallets', headers, {
      mode: 'live',
      name: 'Ada',
      email: 'ada@example.com',
      phone: '+15550107001',
      ...fields,
    })
  const pin = '246810'
  expect((await create(support, { pin })).status).toBe(403)
  expect((await create(support, { pin, mode: 'sandbox' })).status).toBe(200)
  expect((await create(support, { phone: '+15550107002' })).status).toBe(200)
  const admin = (await createOperator(t, 'admin')).headers
  expect((await create(admin, { pin, phone: '+15550107003' })).status).toBe(200)
})
