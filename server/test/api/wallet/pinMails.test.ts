import { afterAll, beforeAll, expect, it } from 'vitest'
import { TIME } from '../../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../../setup/mails.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const PIN = '246810'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

const accountChangedMailsTo = async (email: string) =>
  (await mailsTo(t, email)).filter(({ template }) => template === 'account_changed')

it('a change of the PIN is reported to the payer by email, in the language of the wallet', async () => {
  const email = 'ada@example.com'
  const phone = '+447700900001'
  const fields = { mode: 'live', name: 'Ada', email, phone, locale: 'fr' }
  const { wallet_id: id, activation } = (
    await t.call('POST', '/operator/wallets', t.operator, fields)
  ).body.data
  // The first PIN doesn't count as a change.
  const first = { code: activation.code, pin: PIN }
  const { token } = (await t.call('POST', '/wallet/activate', {}, first)).body.data
  expect(await accountChangedMailsTo(email)).toEqual([])

  const headers = { authorization: `Bearer ${token}`, 'user-agent': 'Phone/1.0' }
  const wrong = { current: '135790', new: '8052' }
  expect((await t.call('POST', '/wallet/pin', headers, wrong)).status).toBe(400)
  expect(await accountChangedMailsTo(email)).toEqual([])
  const right = { current: PIN, new: '8052' }
  expect((await t.call('POST', '/wallet/pin', headers, right)).status).toBe(200)
  const mail = {
    locale: 'fr',
    template: 'account_changed',
    name: 'Ada',
    change: 'pin',
    device: 'Phone/1.0',
    address: '127.0.0.1',
    at: TIME,
  }
  expect(await accountChangedMailsTo(email)).toEqual([mail])

  const path = `/operator/wallets/${id}`
  await t.call('POST', `${path}/pin`, t.operator, { pin: '97531864' })
  const { code } = (await t.call('POST', `${path}/activation`, t.operator)).body.data
  await t.call('POST', '/wallet/activate', { 'user-agent': 'Tablet/2.0' }, { code, pin: '8153' })
  expect(await accountChangedMailsTo(email)).toEqual([
    mail,
    // The payer need not know the device of the operator.
    { ...mail, device: '', address: '' },
    { ...mail, device: 'Tablet/2.0' },
  ])
})
