import type { SMTPServerSession } from 'smtp-server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createSmtpClient, describeSmtpError } from '../../src/mail/smtp.ts'
import { type MailServer, startMailServer } from '../setup/mailServer.ts'

let server: MailServer
let session: SMTPServerSession | null
/** The response to a recipient. Null if the server accepts it. */
let refusal: { readonly code: number; readonly text: string } | null

beforeAll(async () => {
  server = await startMailServer({
    onRcptTo: (_address, current, done) => {
      session = current
      if (refusal === null) done()
      else done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
  })
})
beforeEach(() => {
  session = null
  refusal = null
})
afterAll(() => server.close())

/** Sends an email. Returns the description of the error, or null if the server accepts the email. */
async function send(smtpUrl = server.url) {
  const client = createSmtpClient({ smtpUrl, from: 'pay@florin.example' })
  const mail = { subject: 'Subject', text: 'Text', html: '<p>Text</p>' }
  try {
    await client.send({ ...mail, mailId: 'mail_1', to: 'reader@example.com', at: new Date() })
    return null
  } catch (error) {
    return describeSmtpError(error)
  } finally {
    client.close()
  }
}

// Postfix delays every refusal until the recipient, so the command doesn't tell what is refused. The texts are from Postfix and
// Exim.
describe('a response to the recipient', () => {
  it.each([
    [554, '5.7.1 <pay@florin.example>: Sender address rejected: Access denied'],
    [553, '5.7.1 <pay@florin.example>: Sender address rejected: not logged in'],
    [550, '5.1.8 <pay@florin.example>: Sender address rejected: Domain not found'],
    [554, '5.7.1 <reader@example.com>: Recipient address rejected: Access denied'],
    [554, '5.7.1 <reader@example.com>: Relay access denied'],
    [530, 'Authentication required'],
    [550, 'relay not permitted'],
    [550, 'Sender verify failed'],
  ])('that refuses the setup is temporary: %i %s', async (code, text) => {
    refusal = { code, text }
    expect(await send()).toEqual({ error: `${code} ${text}`, isPermanent: false })
  })

  it.each([
    [550, '5.1.1 <reader@example.com>: Recipient address rejected: User unknown'],
    [552, '5.2.2 <reader@example.com>: The mailbox is full'],
    [550, '5.1.1 <relay@example.com>: Recipient address rejected: No such user'],
    [550, 'Unknown user'],
  ])('that refuses the recipient is permanent: %i %s', async (code, text) => {
    refusal = { code, text }
    expect(await send()).toEqual({ error: `${code} ${text}`, isPermanent: true })
  })
})

it('an error says that the server has no STARTTLS', async () => {
  // A name of this machine that does not look like one, so STARTTLS is required.
  expect(await send(server.url.replace('127.0.0.1', '[::ffff:127.0.0.1]'))).toEqual({
    error: expect.stringMatching(/^The mail server does not offer STARTTLS: 50\d /),
    isPermanent: false,
  })
})

it('the client greets with the domain of the sender, not with an address of this machine', async () => {
  expect(await send()).toBe(null)
  expect(session?.hostNameAppearsAs).toBe('florin.example')
})
