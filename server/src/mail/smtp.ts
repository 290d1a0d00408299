import { domainToASCII } from 'node:url'
import { createTransport } from 'nodemailer'
import { isLoopbackUrl } from '../core/loopback.ts'
import type { RenderedMail } from './render.ts'

/** Small, because a mail server limits the connections of one client. */
export const MAX_CONNECTIONS = 4
/** Shorter than the lease of an email, so that no other process sends it meanwhile. */
const SEND_TIMEOUT_MS = 45_000

export type SmtpSettings = { readonly smtpUrl: string; readonly from: string }

/** Connects to the mail server on demand. With `smtp://`, the server must offer STARTTLS, unless it is on this machine. */
export function createSmtpClient({ smtpUrl, from }: SmtpSettings) {
  const host = from.slice(from.lastIndexOf('@') + 1)
  const transport = createTransport({
    url: smtpUrl,
    // By default, a machine whose host name has no domain, such as a container, greets with 127.0.0.1. Some servers refuse that.
    name: domainToASCII(host),
    pool: true,
    requireTLS: !isLoopbackUrl(smtpUrl),
    maxConnections: MAX_CONNECTIONS,
    maxMessages: 100,
    dnsTimeout: 10_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    /** Rejects if the server does not accept the email. The Message-ID is the same at each attempt. */
    async send(mail: RenderedMail & { mailId: string; to: string; at: Date }): Promise<void> {
      await withTimeout(
        transport.sendMail({
          from: { name: '', address: from },
          to: { name: '', address: mail.to },
          envelope: { from, to: [mail.to] },
          messageId: `<${mail.mailId}@${host}>`,
          date: mail.at,
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          headers: { 'Auto-Submitted': 'auto-generated' },
        }),
      )
    },
    /** Connects and signs in without sending. Rejects if that fails. */
    async verify(): Promise<void> {
      await withTimeout(transport.verify())
    },
    /** Ends sends in progress too: they are rejected. */
    close: () => transport.close({ force: true }),
  }
}

/** A server that keeps sending single bytes never triggers the timeouts of the connection. */
async function withTimeout(work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The mail server is too slow')), SEND_TIMEOUT_MS)
  })
  // If the timeout comes first, don't report the later rejection as unhandled.
  work.catch(() => {})
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

const MAX_ERROR_LENGTH = 300

/**
 * Whether the setup must be fixed: the server refuses the sender, the sign-in or relaying, or refuses by policy. The failed
 * command doesn't tell, because Postfix delays every refusal until the recipient. Without an enhanced status code, the text does.
 */
function refusesSetup(response: string): boolean {
  const [, code, status] = /^(\d{3})[ -](?:(\d\.\d{1,3}\.\d{1,3}) )?/.exec(response) ?? []
  if (code === '530') return true
  return status === undefined
    ? /relay|sender|authenticat/i.test(response)
    : /^5\.(7\.|1\.[78]$)/.test(status)
}

/** The error that operators see. An email that the server refuses permanently is not retried. */
export function describeSmtpError(error: unknown): {
  readonly error: string
  readonly isPermanent: boolean
} {
  const { message, response, responseCode, command } = error as {
    message?: string
    response?: unknown
    responseCode?: number
    command?: string
  }
  const text = typeof response === 'string' ? response : (message ?? 'Unknown error')
  const described =
    command === 'STARTTLS' ? `The mail server does not offer STARTTLS: ${text}` : text
  return {
    error: described
      .toWellFormed()
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, MAX_ERROR_LENGTH),
    // Retry if the server refuses the setup, so that emails are sent after you fix it.
    isPermanent:
      (command === 'RCPT TO' || command === 'DATA') &&
      (responseCode ?? 0) >= 500 &&
      !refusesSetup(text),
  }
}
