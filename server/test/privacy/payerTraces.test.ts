import { afterAll, beforeAll, expect, it } from 'vitest'
import { TIME } from '../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../setup/mails.ts'
import { eventKindsOf } from '../setup/securityEvents.ts'
import { startTestService, type TestService } from '../setup/testService.ts'
import { findCells, placesOf } from './searchTables.ts'

// Personal data of a payer outside the wallet itself, such as in sessions, sign-ups, emails, security events and the audit log.
let t: TestService
beforeAll(async () => {
  t = await startTestService({ ...WITH_MAIL, FLORIN_WALLET_SIGNUP: 'email' })
})
afterAll(() => t.close())

const PIN = '8052'

let payerCount = 0
async function createPayer() {
  const number = ++payerCount
  const phone = `+4477009000${String(number).padStart(2, '0')}`
  const person = { name: `Zoë Quill ${number}`, email: `Zoe${number}@payer.example`, phone }
  const body = { ...person, mode: 'live', pin: PIN }
  const created = await t.call('POST', '/operator/wallets', t.operator, body)
  const walletId = created.body.data.wallet_id as string
  const device = { 'user-agent': 'Quill/1.0' }
  await t.call('POST', '/wallet/session', device, { phone, pin: PIN })
  await t.call('POST', '/wallet/session', device, { phone, pin: '0000' })
  await t.call('POST', `/operator/wallets/${walletId}/activation`, t.operator)
  await t.call('POST', '/wallet/signup', {}, { ...person, phone: `+44770099990${number}` })
  const act = (path: string) =>
    t.call('POST', `/operator/wallets/${walletId}/${path}`, t.operator, {})
  const words = [person.name, person.email, phone, 'Quill/1.0']
  return { person, walletId, act, words }
}

it('the traces of a payer are exported', async () => {
  const { person, act } = await createPayer()
  const { data } = (await act('export')).body
  expect(data.sessions).toEqual([
    {
      created_at: TIME,
      last_used_at: TIME,
      expires_at: TIME,
      address: '127.0.0.1',
      user_agent: 'Quill/1.0',
    },
  ])
  const ownEvent = { at: TIME, address: '127.0.0.1', device: 'Quill/1.0' }
  const operatorEvent = { at: TIME, address: '', device: '' }
  expect(data.security_events).toEqual([
    { ...operatorEvent, kind: 'pin_reset' },
    { ...ownEvent, kind: 'sign_in_failed' },
    { ...ownEvent, kind: 'sign_in' },
    { ...operatorEvent, kind: 'account_created' },
  ])
  const email = person.email.toLowerCase()
  expect(data.signups).toEqual([
    { name: person.name, email, phone: expect.stringMatching(/^\+4477009999/), created_at: TIME },
  ])
  const mail = { created_at: TIME, sent_at: null }
  expect(data.mails).toEqual([
    { ...mail, template: 'wallet_signup' },
    { ...mail, template: 'wallet_activation' },
    { ...mail, template: 'new_device' },
  ])
})

it('an email about a new PIN is exported and erased', async () => {
  const { person, act } = await createPayer()
  const signIn = { phone: person.phone, pin: PIN }
  const { token } = (await t.call('POST', '/wallet/session', {}, signIn)).body.data
  const headers = { authorization: `Bearer ${token}` }
  const changed = await t.call('POST', '/wallet/pin', headers, { current: PIN, new: '9163' })
  expect(changed.status).toBe(200)
  const { mails } = (await act('export')).body.data
  expect(mails).toContainEqual({ template: 'account_changed', created_at: TIME, sent_at: null })
  expect((await act('erase')).status).toBe(200)
  expect(await mailsTo(t, person.email.toLowerCase())).toEqual([])
})

it('the traces of a payer are erased, and an email that belongs to another account stays', async () => {
  const { person, walletId, act, words } = await createPayer()
  const before = await eventKindsOf(t, walletId)
  expect(placesOf(await findCells(t.database, words))).toEqual([
    'audit_log.after',
    'mail.recipient',
    'security_event.device',
    'sign_in_guard.subject',
    'wallet.email',
    'wallet.name',
    'wallet.phone',
    'wallet_phone.phone',
    'wallet_session.user_agent',
    'wallet_signup.email',
    'wallet_signup.name',
  ])
  const template = 'invitation' as const
  const content = { template, name: 'Z', invitedBy: 'Bo', store: null, url: 'https://x.example' }
  const invitation = { to: person.email, locale: 'en' as const, content }
  await t.database.transaction((tx) => t.service.mail.add(tx, [invitation], new Date()))

  expect((await act('erase')).status).toBe(200)
  const erasedWords = words.filter((word) => word !== 'Quill/1.0')
  expect(await findCells(t.database, erasedWords)).toEqual([
    { place: 'mail.recipient', text: person.email.toLowerCase() },
  ])
  expect(await mailsTo(t, person.email.toLowerCase())).toEqual([{ locale: 'en', ...content }])
  const events = await t.database.query(
    'select distinct address, device, details from security_event where account_id = $1',
    [walletId],
  )
  expect(events).toEqual([{ address: '', device: '', details: null }])
  expect(await eventKindsOf(t, walletId)).toEqual(before)
  const codes = await t.database.query(
    'select 1 from wallet_activation a join wallet w using (wallet_id) where w.public_id = $1',
    [walletId],
  )
  expect(codes).toEqual([])
})
