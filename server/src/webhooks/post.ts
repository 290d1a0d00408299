import type { IncomingHttpHeaders } from 'node:http'
import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, type Dispatcher, errors } from 'undici'
import { deliveryErrorText } from '../core/deliveryErrors.ts'
import { type AttemptOutcome, parseRetryAfter } from '../core/webhook.ts'
import type { AddressRules } from '../core/webhookUrl.ts'
import { AddressRefused, type Resolve, resolveAddresses } from './address.ts'

const TIMEOUT_MS = 15_000
const MAX_READ_BYTES = 64 * 1024
const MAX_STORED_BYTES = 4 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const KEEP_ALIVE_MS = 10_000
/** Limits the whole response, including parts that have no limit of their own, such as chunk extensions. */
const MAX_RESPONSE_BYTES = 512 * 1024

class ResponseTooLarge extends Error {}

const ABORTED = new Error('the rest of the response is not needed')
const EMPTY = Buffer.alloc(0)

type Post = (request: {
  url: string
  body: string | Buffer
  headers: Record<string, string>
}) => Promise<AttemptOutcome>

export type Poster = { readonly post: Post; readonly close: () => Promise<void> }

/**
 * Posts to URLs that merchants chose. Never follows a redirect, never decompresses a body, reads a limited
 * number of bytes and always ends by the timeout.
 */
export function createPoster(
  rules: AddressRules,
  {
    connectionsPerHost,
    timeoutMs = TIMEOUT_MS,
    resolve,
    now = () => new Date(),
  }: {
    connectionsPerHost: number
    timeoutMs?: number
    resolve?: Resolve
    /** The clock for a date in Retry-After. */
    now?: () => Date
  },
): Poster {
  const connect = buildConnector({ timeout: timeoutMs })
  const agent = new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // Each exchange has one timeout for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Every connection passes this check, including those to IP addresses.
    connect(options, callback) {
      // TLS allows no IP address as a server name. Without one, the certificate is checked against the host.
      const servername = isIP(options.hostname) ? '' : options.hostname
      function connectTo([address, ...others]: readonly string[], firstError?: Error): void {
        connect({ ...options, hostname: address!, host: address!, servername }, (error, socket) => {
          if (error === null) {
            limitResponses(socket)
            callback(null, socket)
            return
          }
          const reported = firstError ?? error
          // `localhost` often has ::1 before 127.0.0.1, and a receiver may listen at only one of them.
          if (others.length > 0 && !isTimeout(error)) connectTo(others, reported)
          else callback(reported, null)
        })
      }
      resolveAddresses(new URL(`${options.protocol}//${options.host}`), rules, resolve).then(
        (addresses) => connectTo(addresses),
        (error: Error) => callback(error, null),
      )
    },
  })

  function post({ url, body, headers }: Parameters<Post>[0]): Promise<AttemptOutcome> {
    return new Promise((resolve) => {
      const rawHeaders = ['content-type', 'application/json', 'user-agent', 'Florin']
      for (const name in headers) rawHeaders.push(name, headers[name]!)
      const exchange = new Exchange({ timeoutMs, now }, resolve)
      try {
        const { origin, pathname, search } = new URL(url)
        const path = `${pathname}${search}`
        agent.dispatch({ origin, path, method: 'POST', headers: rawHeaders, body }, exchange)
      } catch (error) {
        exchange.fail(error)
      }
    })
  }

  return { post, close: () => agent.destroy() }
}

/** Closes a connection that receives too many bytes between two of our requests. */
function limitResponses(socket: Socket): void {
  let sent = 0
  let readBefore = 0
  socket.on('readable', () => {
    if (socket.bytesWritten !== sent) {
      sent = socket.bytesWritten
      readBefore = socket.bytesRead
    }
    if (socket.bytesRead - readBefore > MAX_RESPONSE_BYTES) socket.destroy(new ResponseTooLarge())
  })
}

/** One request and its response. Ends with the response, an error or the timeout. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly startedMs = performance.now()
  private readonly timeoutMs: number
  private readonly now: () => Date
  private readonly resolve: (outcome: AttemptOutcome) => void
  private readonly timer: NodeJS.Timeout
  private controller: Dispatcher.DispatchController | undefined
  private hasEnded = false
  private statusCode = 0
  private retryAfterMs: number | null = null
  private stored = EMPTY
  private size = 0

  constructor(
    { timeoutMs, now }: { timeoutMs: number; now: () => Date },
    resolve: (outcome: AttemptOutcome) => void,
  ) {
    this.timeoutMs = timeoutMs
    this.now = now
    this.resolve = resolve
    this.timer = setTimeout(() => {
      this.endByTimeout()
      this.controller?.abort(ABORTED)
    }, timeoutMs)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller
    // The timeout may have passed before there was a connection.
    if (this.hasEnded) controller.abort(ABORTED)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: IncomingHttpHeaders,
  ): void {
    // 1xx is informational. The response follows.
    if (statusCode < 200) return
    this.statusCode = statusCode
    const retryAfter: string | string[] | undefined = headers['retry-after']
    if (retryAfter === undefined) return
    this.retryAfterMs = parseRetryAfter([retryAfter].flat()[0], this.now())
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Copy into one buffer: a receiver that sends single bytes must not make us keep an object for each.
    if (this.size === 0) this.stored = Buffer.from(chunk.subarray(0, MAX_STORED_BYTES))
    else if (this.size < MAX_STORED_BYTES) {
      if (this.stored.length < MAX_STORED_BYTES) {
        this.stored = Buffer.concat([this.stored], MAX_STORED_BYTES)
      }
      chunk.copy(this.stored, this.size)
    }
    this.size += chunk.length
    if (this.size < MAX_READ_BYTES) return
    this.end(this.statusCode, null)
    controller.abort(ABORTED)
  }

  onResponseEnd(): void {
    this.end(this.statusCode, null)
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(error: unknown): void {
    if (isTimeout(error)) this.endByTimeout()
    else this.end(null, describeError(error))
  }

  private endByTimeout(): void {
    this.end(null, deliveryErrorText('timeout', this.timeoutMs / 1000))
  }

  private end(statusCode: number | null, error: string | null): void {
    if (this.hasEnded) return
    this.hasEnded = true
    clearTimeout(this.timer)
    this.resolve({
      statusCode,
      error,
      responseBody: statusCode === null ? null : toStorableText(this.stored.subarray(0, this.size)),
      retryAfterMs: statusCode === null ? null : this.retryAfterMs,
      durationMs: Math.round(performance.now() - this.startedMs),
    })
  }
}

/** Converts arbitrary bytes to text that PostgreSQL accepts. */
function toStorableText(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\0', '\ufffd')
}

const isTimeout = (error: unknown) =>
  (error as NodeJS.ErrnoException).code === 'UND_ERR_CONNECT_TIMEOUT'

const UNRESOLVED = deliveryErrorText('resolve')

function describeError(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  if (error instanceof ResponseTooLarge) return deliveryErrorText('size')
  if (error instanceof errors.HTTPParserError) return deliveryErrorText('http')
  const { code = 'error', message, syscall = '' } = error as NodeJS.ErrnoException
  // A name server may also refuse a connection. Don't report that as the receiver's refusal.
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
      return deliveryErrorText('refused')
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return deliveryErrorText('unreachable')
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return deliveryErrorText('closed')
    case 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH':
      return deliveryErrorText('length')
    case 'UND_ERR_HEADERS_OVERFLOW':
      return deliveryErrorText('headers')
    default: {
      const detail = toStorableText(Buffer.from(message.slice(0, 500)))
      if (/CERT|SIGNATURE/.test(code)) return deliveryErrorText('certificate', detail)
      if (/^(EPROTO|ERR_SSL_.*)$/.test(code)) return deliveryErrorText('tls')
      return `${code}: ${detail}`
    }
  }
}
