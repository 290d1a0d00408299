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
    const { error: description } = describeSmtpError(error)
    return problem('mail', `${name} cannot be used: ${description}`, fixOf(description))
  } finally {
    client.close()
  }
}

const FIXES: readonly (readonly [pattern: RegExp, fix: string])[] = [
  [
    /certificate|altnames/i,
    'Use the host name that the certificate is for. If it is from your own CA, set NODE_EXTRA_CA_CERTS; see docs/production.md.',
  ],
  [/STARTTLS/, 'Use smtps:// if the server has a TLS port, usually 465, or enable STARTTLS there.'],
  [
    /wrong version number/,
    'If the port uses STARTTLS, usually 587, use smtp:// instead of smtps://.',
  ],
  [
    /greeting/i,
    'Check the host and the port. If it is a TLS port, usually 465, use smtps:// instead of smtp://.',
  ],
]

const fixOf = (error: string): string =>
  FIXES.find(([pattern]) => pattern.test(error))?.[1] ??
  'Check the host, the port, the user and the password in FLORIN_SMTP_URL.'
