import type { Logger } from 'pino'
import type { MailContent } from '../core/mail.ts'
import { decryptSecret } from '../core/secrets.ts'
import type { Database } from '../database/database.ts'
import { claimDueMails, recordSendOutcome, type SendOutcome } from '../ops/mail.ts'
import { createWakeup } from '../platform/wakeup.ts'
import type { ClaimedMail } from '../sql/mail.ts'
import { composeMail } from './compose.ts'
import { renderMail } from './render.ts'
import { createSmtpClient, describeSmtpError, MAX_CONNECTIONS, type SmtpSettings } from './smtp.ts'

const POLL_INTERVAL_MS = 2_000
const STOP_TIMEOUT_MS = 3_000

type MailSenderOptions = {
  readonly database: Database
  readonly log: Logger
  readonly secretKey: Buffer
  /** The host name of this service, for the footer of emails. */
  readonly service: string
  readonly smtp: SmtpSettings
  readonly onResult: (result: 'sent' | 'retried' | 'failed') => void
}

/** Sends emails that are due. Emails that this process commits are sent immediately; others are found by polling. */
export function createMailSender(options: MailSenderOptions) {
  const { database, log, secretKey, service } = options
  const wakeup = createWakeup(POLL_INTERVAL_MS)
  const client = createSmtpClient(options.smtp)
  const inFlight = new Set<Promise<void>>()
  let isStopping = false
  let loop = Promise.resolve()

  async function run(): Promise<void> {
    while (!isStopping) {
      const room = MAX_CONNECTIONS - inFlight.size
      const claimed =
        room === 0
          ? []
          : await claimDueMails(database, room).catch((error: unknown) => {
              log.warn({ err: error }, 'emails could not be claimed')
              return []
            })
      for (const mail of claimed) {
        const sending = handle(mail).finally(() => {
          inFlight.delete(sending)
          wakeup.wake()
        })
        inFlight.add(sending)
      }
      await wakeup.wait()
    }
  }

  /** Never rejects. If the result can't be written, the email is sent again when its lease expires. */
  async function handle(mail: ClaimedMail): Promise<void> {
    try {
      const outcome = await attempt(mail)
      const result = await recordSendOutcome(database, mail, outcome)
      if (result === 'released') return
      options.onResult(result)
      if (outcome.kind !== 'failed') return
      const { mailId, attempts } = mail
      // Don't log the error itself: a mail server may quote the recipient's address.
      log.warn({ mailId, attempt: attempts + 1, result }, 'an email could not be sent')
    } catch (error) {
      log.warn({ err: error, mailId: mail.mailId }, 'an email could not be handled')
    }
  }

  async function attempt(mail: ClaimedMail): Promise<SendOutcome> {
    if (isStopping) return { kind: 'released' }
    try {
      const content = JSON.parse(decryptSecret(mail.content, secretKey)) as MailContent
      const rendered = renderMail(composeMail(content, { locale: mail.locale, service }))
      const { mailId, recipient: to, createdAt: at } = mail
      await client.send({ ...rendered, mailId, to, at })
      return { kind: 'sent' }
    } catch (error) {
      // The stop closed the connection, so the attempt doesn't count.
      if (isStopping) return { kind: 'released' }
      return { kind: 'failed', ...describeSmtpError(error) }
    }
  }

  return {
    start(): void {
      loop = run()
    },
    wake: wakeup.wake,
    /** Waits briefly for emails in flight, then closes the connections. */
    async stop(): Promise<void> {
      isStopping = true
      wakeup.wake()
      await loop
      await Promise.race([
        Promise.all(inFlight),
        new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref()),
      ])
      client.close()
      await Promise.all(inFlight)
    },
  }
}
