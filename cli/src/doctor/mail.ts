import type { Config } from '@florin/server/config.js'
import { createSmtpClient, describeSmtpError } from '@florin/server/mail/smtp.js'
import { type Finding, note, ok, problem } from './finding.ts'

/** Connects to the mail server and signs in, without sending. */
export async function checkMail({ mail }: Config): Promise<Finding> {
  if (mail === null) {
    const message = 'not set up: no receipts, invitations or password resets by email'
    return note('mail', message, 'To set up mail, see docs/mail.md.')
  }
  // Never show the user and the password.
  const { protocol, host } = new URL(mail.smtpUrl)
  const name = `${protocol}//${host}`
  const client = createSmtpClient(mail)
  try {
    await client.verify()
    return ok('mail', `${name} can be used; send a test email: npx florin mail test ADDRESS`)
  } catch (error) {
    const fix = 'Check the host, the port, the user and the password in FLORIN_SMTP_URL.'
    return problem('mail', `${name} cannot be used: ${describeSmtpError(error).error}`, fix)
  } finally {
    client.close()
  }
}
