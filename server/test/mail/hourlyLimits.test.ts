import { afterAll, beforeAll, expect, it } from 'vitest'
import { composeMail } from '../../src/mail/compose.ts'
import { mailsTo, WITH_MAIL } from '../setup/mails.ts'
import { createPerson, PUBLIC_ORIGIN } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

// A stolen session of an owner can add a stranger as a person, and set the address of the store to that of a stranger.

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

const STRANGER = 'stranger@elsewhere.example'
const password = 'a fresh password 42'

const countTo = async (to: string, template: string) =>
  (await mailsTo(t, to)).filter((mail) => mail.template === template).length

/** Makes all emails 61 minutes older. */
const ageMails = () =>
  t.database.transaction((tx) =>
    tx.execute(`update mail set created_at = created_at - interval '61 minutes'`),
  )

it('a person of a store gets at most 10 emails of a kind about their account within an hour', async () => {
  const { store } = await t.createStore()
  const { headers } = await createPerson(t, store, 'owner')
  const stranger = { email: STRANGER, name: 'Stranger', role: 'owner', password }
  expect((await t.call('POST', '/store/people', headers, stranger)).status).toBe(200)

  const signIn = () =>
    t.call('POST', '/store/session', { origin: PUBLIC_ORIGIN }, { email: STRANGER, password })
  for (let n = 0; n < 13; n++) expect((await signIn()).status).toBe(200)
  expect(await countTo(STRANGER, 'new_device')).toBe(10)
  await ageMails()
  expect((await signIn()).status).toBe(200)
  expect(await countTo(STRANGER, 'new_device')).toBe(11)

  const createKey = () => t.call('POST', '/store/live/keys', headers, { label: 'Call this number' })
  for (let n = 0; n < 12; n++) expect((await createKey()).status).toBe(200)
  expect(await countTo(STRANGER, 'new_credential')).toBe(10)
})

it('a store cannot stop the emails about an operator with the same address', async () => {
  const email = 'ada@elsewhere.example'
  const { store } = await t.createStore()
  const { headers } = await createPerson(t, store, 'owner')
  const person = { email, name: 'Ada', role: 'owner', password }
  expect((await t.call('POST', '/store/people', headers, person)).status).toBe(200)
  const signIn = (base: string, body: object) =>
    t.call('POST', `${base}/session`, { origin: PUBLIC_ORIGIN }, body)
  for (let n = 0; n < 11; n++) await signIn('/store', { email, password })
  expect(await countTo(email, 'new_device')).toBe(10)

  const operator = { email, name: 'Ada', role: 'admin', password }
  expect((await t.call('POST', '/operator/operators', t.operator, operator)).status).toBe(200)
  for (let n = 0; n < 2; n++)
    expect((await signIn('/operator', { email, password })).status).toBe(200)
  expect(await countTo(email, 'new_device')).toBe(11)
})

it('an address gets at most 20 receipts of test payments within an hour', async () => {
  const shop = await t.createStore()
  const { headers } = await createPerson(t, shop.store, 'owner')
  const settings = { email: STRANGER, mail_receipts: true }
  expect((await t.call('PATCH', '/store/settings', headers, settings)).status).toBe(200)
  const client = { name: 'Call this number', email: 'a@b.example', phone: '5551234' }
  for (let n = 0; n < 23; n++) {
    const { payment_id } = await t.createPayment(shop.sandbox, { client })
    const path = `/store/sandbox/console/payments/${payment_id}/pay`
    expect((await t.call('POST', path, headers, {})).status).toBe(200)
  }
  expect(await countTo(STRANGER, 'receipt')).toBe(20)
})

it('the device in an email is not the text that the client sent', () => {
  const content = { template: 'new_device', name: 'Ada', address: '', at: '' } as const
  const deviceIn = (device: string) =>
    composeMail({ ...content, device }, { locale: 'en', service: 'pay.example.com' }).facts[0]![1]
  expect(deviceIn('Your wallet is locked. Call 555 0100.')).toBe('Unknown')
  expect(deviceIn('Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0, call 555 0100')).toBe(
    'Chrome, Linux',
  )
  expect(deviceIn('curl/8.5.0 call 555 0100')).toBe('curl')
})
