import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, errors } from 'undici'
import { type AttemptOutcome, parseRetryAfter } from '../core/webhook.ts'
import type { AddressRules } from '../core/webhookUrl.ts'
import { AddressRefused, addressToCall, type Resolve } from './address.ts'

const TOTAL_MS = 15_000
const READ_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const IDLE_MS = 10_000
/** Of everything together: what is neither header nor body has no limit of its own. */
const MAX_ANSWER_BYTES = 512 * 1024

class AnswerTooLarge extends Error {}

const CUT_OFF = new Error('nobody waits for the rest')
const NOTHING = Buffer.alloc(0)

export type Post = (request: {
  url: string
  body: string | Buffer
  headers: Record<string, string>
}) => Promise<AttemptOutcome>

export type Poster = { readonly post: Post; readonly close: () => Promise<void> }

/**
 * Posts to addresses that strangers chose. Never follows a redirect, never unpacks a body, reads no
 * more than it must, and ends in time whatever the other side does.
 */
export function createPoster(
  rules: AddressRules,
  {
    connectionsPerHost,
    totalMs = TOTAL_MS,
    resolve,
  }: { connectionsPerHost: number; totalMs?: number; resolve?: Resolve },
): Poster {
  const connect = buildConnector({ timeout: totalMs })
  const agent = new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    // An exchange has one time limit for all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Every connection comes through here, also those to literal addresses.
    connect(options, callback) {
      addressToCall(new URL(`${options.protocol}//${options.host}`), rules, resolve).then(
        (address) => {
          // TLS knows no server names that are addresses; without one the host is checked.
          const servername = isIP(options.hostname) ? '' : options.hostname
          connect({ ...options, hostname: address, host: address, servername }, (...connected) => {
            if (connected[1]) limitAnswers(connected[1])
            callback(...connected)
          })
        },
        (error: Error) => callback(error, null),
      )
    },
  })

  function post({ url, body, headers }: Parameters<Post>[0]): Promise<AttemptOutcome> {
    return new Promise((resolve) => {
      const all = ['content-type', 'application/json', 'user-agent', 'Florin']
      for (const name in headers) all.push(name, headers[name]!)
      const exchange = new Exchange(totalMs, resolve)
      try {
        const { origin, pathname, search } = new URL(url)
        const path = `${pathname}${search}`
        agent.dispatch({ origin, path, method: 'POST', headers: all, body }, exchange)
      } catch (error) {
        exchange.fail(error)
      }
    })
  }

  return { post, close: () => agent.destroy() }
}

/** Hangs up on who sends without end between two of our requests. */
function limitAnswers(socket: Socket): void {
  let sent = 0
  let readBefore = 0
  socket.on('readable', () => {
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten
      readBefore = socket.bytesRead
    }
    if (socket.bytesRead - readBefore > MAX_ANSWER_BYTES) socket.destroy(new AnswerTooLarge())
  })
}

/** One request and what comes back. Ends by an answer, a fault or the time, whichever is first. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly startedMs = performance.now()
  private readonly totalMs: number
  private readonly resolve: (outcome: AttemptOutcome) => void
  private readonly timer: NodeJS.Timeout
  private call: Dispatcher.DispatchController | undefined
  private isOver = false
  private statusCode = 0
  private retryAfterMs: number | null = null
  private kept = NOTHING
  private size = 0

  constructor(totalMs: number, resolve: (outcome: AttemptOutcome) => void) {
    this.totalMs = totalMs
    this.resolve = resolve
    this.timer = setTimeout(() => {
      this.endLate()
      this.call?.abort(CUT_OFF)
    }, totalMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.call = controller
    // The time may have been up before there was a connection.
    if (this.isOver) controller.abort(CUT_OFF)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Below are announcements; the answer is still to come.
    if (statusCode < 200) return
    this.statusCode = statusCode
    const retryAfter: string | string[] | undefined = headers['retry-after']
    if (retryAfter === undefined) return
    this.retryAfterMs = parseRetryAfter([retryAfter].flat()[0], new Date())
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Copied, because somebody who sends single bytes would otherwise have us keep an object for each.
    if (this.size === 0) this.kept = Buffer.from(chunk.subarray(0, KEPT_BYTES))
    else if (this.size < KEPT_BYTES) {
      if (this.kept.length < KEPT_BYTES) this.kept = Buffer.concat([this.kept], KEPT_BYTES)
      chunk.copy(this.kept, this.size)
    }
    this.size += chunk.length
    if (this.size < READ_BYTES) return
    // What comes after is not waited for.
    this.end(this.statusCode, null)
    controller.abort(CUT_OFF)
  }

  onResponseEnd(): void {
    this.end(this.statusCode, null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(error: unknown): void {
    if (isTimeout(error)) this.endLate()
    else this.end(null, words(error))
  }

  private endLate(): void {
    this.end(null, `no complete answer within ${this.totalMs / 1000} seconds`)
  }

  private end(statusCode: number | null, error: string | null): void {
    if (this.isOver) return
    this.isOver = true
    clearTimeout(this.timer)
    this.resolve({
      statusCode,
      error,
      answer: statusCode === null ? null : storable(this.kept.subarray(0, this.size)),
      retryAfterMs: statusCode === null ? null : this.retryAfterMs,
      durationMs: Math.round(performance.now() - this.startedMs),
    })
  }
}

/** Whatever bytes came, as text that a database holds. */
export function storable(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}

const isTimeout = (error: unknown) =>
  /^UND_ERR_CONNECT_TIMEOUT$/.test((error as NodeJS.ErrnoException).code ?? '')

const UNRESOLVED = 'the name of the host cannot be resolved'

function words(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  if (error instanceof AnswerTooLarge) return 'the answer is too large'
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP'
  const { code = 'error', message, syscall = '' } = error as NodeJS.ErrnoException
  // A name server that is gone refuses the connection, but it is not the receiver who did.
  if (/^(query|getaddrinfo)/.test(syscall)) return UNRESOLVED
  switch (code) {
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'ESERVFAIL':
    case 'EREFUSED':
    case 'ETIMEOUT':
    case 'EAI_AGAIN':
      return UNRESOLVED
    case 'ECONNREFUSED':
      return 'the connection was refused'
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return 'the host cannot be reached'
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'the connection was closed before a complete answer came'
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return 'the answer is not as long as it says'
    case 'UND_ERR_HEADERS_OVERFLOW':
      return 'the headers of the answer are too large'
    default: {
      const said = storable(Buffer.from(message.slice(0, 500)))
      if (/CERT|SIGNATURE/.test(code)) return `the certificate is not trusted: ${said}`
      if (/^(EPROTO|ERR_SSL_.*)$/.test(code)) return 'no TLS connection could be made'
      return `${code}: ${said}`
    }
  }
}
