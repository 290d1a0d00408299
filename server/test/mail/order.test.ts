import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Template } from '../../src/core/mail.ts'
import { claimDueMails, recordSendOutcome } from '../../src/ops/mail.ts'
import { WITH_MAIL } from '../setup/mails.ts'
import { startTestService, type TestService } from '../setup/testService.ts'
import { CONTENTS } from './contents.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

const HOUR_MS = 3_600_000

const write = (to: string, template: Template, hoursAgo: number) =>
  t.database.transaction((tx) =>
    t.service.mail.add(
      tx,
      [{ to: `${to}@example.com`, locale: 'en', content: CONTENTS[template] }],
      new Date(Date.now() - hoursAgo * HOUR_MS),
    ),
  )

it('awaited emails are sent before a flood of others, but not before those that have waited for more than a day', async () => {
  await write('old', 'receipt', 25)
  for (let n = 0; n < 20; n++) await write(`flood${n}`, n % 2 === 0 ? 'receipt' : 'invitation', 2)
  await write('reset', 'password_reset', 1)
  await write('activation', 'wallet_activation', 0)
  const list = await t.call('GET', '/operator/mails?limit=1', t.operator)
  const [{ created_at, next_attempt_at }] = list.body.data.mails
  expect(next_attempt_at).toBe(created_at)
  const claimed: string[] = []
  for (let n = 0; n < 3; n++) {
    for (const { recipient } of await claimDueMails(t.database, 1)) claimed.push(recipient)
  }
  expect(claimed).toEqual(['old@example.com', 'reset@example.com', 'activation@example.com'])
  expect(await claimDueMails(t.database, 30)).toHaveLength(20)
})

it('awaited emails are sent before a flood of security notices, but not before a notice that has waited for more than 12 hours', async () => {
  await write('old', 'new_device', 13)
  for (let n = 0; n < 20; n++) await write('flood', 'new_device', 2)
  await write('receipt', 'receipt', 11)
  for (const template of ['password_reset', 'wallet_activation', 'wallet_signup'] as const)
    await write(template, template, 0)
  const claimed: string[] = []
  for (let n = 0; n < 5; n++) {
    for (const { recipient } of await claimDueMails(t.database, 1)) claimed.push(recipient)
  }
  const names = ['old', 'password_reset', 'wallet_activation', 'wallet_signup', 'flood']
  expect(claimed).toEqual(names.map((name) => `${name}@example.com`))
  expect(await claimDueMails(t.database, 30)).toHaveLength(20)
})

it('an awaited email that an operator resends is sent before others', async () => {
  await write('lost', 'password_reset', 1)
  await write('waiting', 'receipt', 1)
  const [lost] = await claimDueMails(t.database, 1)
  const outcome = { kind: 'failed', error: 'no such address', isPermanent: true } as const
  expect(await recordSendOutcome(t.database, lost!, outcome)).toBe('failed')
  const resent = await t.call('POST', `/operator/mails/${lost!.mailId}/resend`, t.operator, {})
  expect(resent.status).toBe(200)
  const [next] = await claimDueMails(t.database, 1)
  expect(next?.recipient).toBe('lost@example.com')
})
