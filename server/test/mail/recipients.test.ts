import { afterAll, beforeAll, expect, it } from 'vitest'
import { WITH_MAIL } from '../setup/mails.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

it('an email is not written if the recipient is not exactly one address', async () => {
  const addresses = [
    'a@example.com, b@example.com',
    'a@example.com\r\nBcc: b@example.com',
    '"a b"@example.com',
    'Ada <a@example.com>',
    'a;b@example.com',
    'group:a@example.com;',
    'a@[127.0.0.1]',
    'a(comment)@example.com',
    'a@example',
    '',
    `${'a'.repeat(250)}@example.com`,
  ]
  const mails = addresses.map(
    (to) => ({ to, locale: 'en', content: { template: 'test' } }) as const,
  )
  const write = () => t.database.transaction((tx) => t.service.mail.add(tx, mails, new Date()))
  expect(await write()).toEqual([])
})
