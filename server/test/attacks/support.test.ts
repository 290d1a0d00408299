import { afterAll, beforeAll, expect, it } from 'vitest'
import { mailsTo, WITH_MAIL } from '../setup/mails.ts'
import { createOperator, createTestToken } from '../setup/operators.ts'
import { type Headers, startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
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
  // Admins have no limit: they can set the PIN, so they don't need to guess it.
  expect((await unlock((await createOperator(t, 'admin')).headers)).status).toBe(200)

  const otherWallet = await t.createWallet()
  const second = `/operator/wallets/${otherWallet.wallet.publicId}/unlock`
  expect((await t.call('POST', second, support)).status).toBe(200)
})

it('support cannot flood a payer with activation codes', async () => {
  const { wallet } = await t.createWallet()
  const path = `/operator/wallets/${wallet.publicId}/activation`
  const support = (await createOperator(t, 'support')).headers
  const other = (await createOperator(t, 'support')).headers
  const activate = (headers: Headers) => t.call('POST', path, headers, {})
  const all = await Promise.all([support, other, support, other].map(activate))
  expect(all.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429])
  const refused = await activate(support)
  expect(refused.body).toEqual({
    status: 429,
    message:
      'This wallet got 3 activation codes within 24 hours, or its email address 10 within an hour. Ask an admin to create another.',
  })
  expect(refused.headers['retry-after']).toBe('3600')
  expect(await mailsTo(t, wallet.email)).toHaveLength(3)
  expect((await activate((await createOperator(t, 'admin')).headers)).status).toBe(200)
  await t.database.transaction((tx) =>
    tx.execute(`update audit_log set at = at - interval '25 hours' where action = $1`, [
      'wallet.activation',
    ]),
  )
  expect((await activate(support)).status).toBe(200)
})

it('support cannot flood an address by opening many wallets for it, or by creating codes for them', async () => {
  const support = (await createOperator(t, 'support')).headers
  const open = (n: number) =>
    t.call('POST', '/operator/wallets', support, {
      mode: 'live',
      name: 'Ada',
      email: 'many@example.com',
      phone: `+155501090${10 + n}`,
    })
  const opened = await Promise.all(Array.from({ length: 12 }, (_, n) => open(n)))
  expect(opened.map(({ status }) => status)).toEqual(Array(12).fill(200))
  const mailed = opened.filter(({ body }) => body.data.activation.mailed_to !== null)
  expect(mailed).toHaveLength(10)

  const paths = opened.map(({ body }) => `/operator/wallets/${body.data.wallet_id}`)
  const shown = await t.call('POST', `${paths[0]}/activation`, support, {})
  expect(shown.body.data).toMatchObject({ code: expect.any(String), mailed_to: null })
  // The code of a wallet in use is only emailed, and the address has reached its limit.
  await t.call('POST', `${paths[1]}/top-up`, t.operator, { currency: 'USD', amount: '5' })
  expect((await t.call('POST', `${paths[1]}/activation`, support, {})).status).toBe(429)
  expect(await mailsTo(t, 'many@example.com')).toHaveLength(10)
})

it('support cannot flood an address by erasing the wallets that they open for it', async () => {
  const support = (await createOperator(t, 'support')).headers
  async function openAndErase(n: number): Promise<string | null> {
    const opened = await t.call('POST', '/operator/wallets', support, {
      mode: 'live',
      name: 'Ada',
      email: 'erased@example.com',
      phone: `+155501091${10 + n}`,
    })
    await t.database.transaction((tx) =>
      tx.execute(`update mail set sent_at = now(), content = null where recipient = $1`, [
        'erased@example.com',
      ]),
    )
    const path = `/operator/wallets/${opened.body.data.wallet_id}/erase`
    expect((await t.call('POST', path, support, {})).status).toBe(200)
    return opened.body.data.activation.mailed_to
  }
  const mailed: (string | null)[] = []
  for (let n = 0; n < 12; n++) mailed.push(await openAndErase(n))
  expect(mailed.filter((to) => to !== null)).toHaveLength(10)
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
