import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MailServer, mailSettings, startMailServer } from '../setup/mailServer.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let server: MailServer
let t: TestService
let reportRecipient = () => {}
const recipientReceived = new Promise<void>((resolve) => {
  reportRecipient = resolve
})
beforeAll(async () => {
  server = await startMailServer({ onRcptTo: () => reportRecipient() })
  t = await startTestService(mailSettings(server))
})
afterAll(async () => {
  await t.close()
  await server.close()
})

it('a mail server that does not respond does not delay the stop, and the email is due again', async () => {
  const sender = t.service.mailSender!
  sender.start()
  const mail = { to: 'a@example.com', locale: 'en', content: { template: 'test' } } as const
  await t.database.transaction((tx) => t.service.mail.add(tx, [mail], new Date()))
  await recipientReceived
  const startedMs = performance.now()
  await sender.stop()
  // Without a response, a connection ends after 20 seconds.
  expect(performance.now() - startedMs).toBeLessThan(15_000)
  const rows = await t.database.query('select attempts, claimed_until, sent_at from mail')
  expect(rows).toEqual([{ attempts: 0, claimed_until: null, sent_at: null }])
})
