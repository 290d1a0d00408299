import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

type ReceivedMail = {
  /** The recipients of the SMTP envelope. */
  readonly to: readonly string[]
  readonly raw: string
  readonly parsed: Email
}

/** A real SMTP server on a free port. It stores every email that it accepts. */
export async function startMailServer(options: SMTPServerOptions = {}) {
  const received: ReceivedMail[] = []
  const waiting = new Set<() => void>()
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8')
        const to = session.envelope.rcptTo.map(({ address }) => address)
        void PostalMime.parse(raw).then((parsed) => {
          received.push({ to, raw, parsed })
          done()
          for (const wake of waiting) wake()
        }, done)
      })
    },
    ...options,
  })
  // A client that is killed resets its connection.
  server.on('error', () => {})
  const sockets = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `smtp://127.0.0.1:${port}`,
    received,
    /** Waits until this many emails have arrived in total. */
    async untilReceived(count: number): Promise<void> {
      const deadlineMs = Date.now() + 20_000
      while (received.length < count) {
        if (Date.now() > deadlineMs)
          throw new Error(`${received.length} of ${count} emails arrived`)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, 200)
          waiting.add(() => {
            clearTimeout(timer)
            resolve()
          })
        })
        waiting.clear()
      }
    },
    dropConnections(): void {
      for (const socket of sockets) socket.destroy()
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

export const mailSettings = (server: { readonly url: string }) => ({
  FLORIN_SMTP_URL: server.url,
  FLORIN_MAIL_FROM: 'pay@florin.example',
})

/** The token in the link of an email. */
export const linkTokenOf = ({ parsed }: ReceivedMail) =>
  /#(?:invitation|reset)\/(fll_[\w-]+)/.exec(parsed.text ?? '')![1]!
