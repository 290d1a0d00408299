import { isIP, type Socket } from 'node:net'
import { Agent, buildConnector, errors } from 'undici'
import { type AttemptOutcome, parseRetryAfter } from '../core/webhook.ts'
import { AddressRefused, type AddressRules, addressToCall, type Resolve } from './address.ts'

const TOTAL_MS = 15_000
const READ_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const IDLE_MS = 10_000
/** Of everything together: what is neither header nor body has no limit of its own. */
const MAX_ANSWER_BYTES = 1024 * 1024

class AnswerTooLarge extends Error {}

export type Post = (request: {
  url: string
  body: string
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
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
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

  async function post({ url, body, headers }: Parameters<Post>[0]): Promise<AttemptOutcome> {
    const startedMs = performance.now()
    const done = (outcome: Partial<AttemptOutcome>): AttemptOutcome => ({
      ...{ statusCode: null, error: null, answer: null, retryAfterMs: null },
      ...outcome,
      durationMs: Math.round(performance.now() - startedMs),
    })
    const ends = new AbortController()
    let timer: NodeJS.Timeout | undefined
    // The signal alone is not enough: nobody heeds it before there is a connection.
    const timeIsUp = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        ends.abort()
        reject(ends.signal.reason)
      }, totalMs)
    })
    try {
      const target = new URL(url)
      const answered = exchange(target, { body, headers, signal: ends.signal })
      return done(await Promise.race([answered, timeIsUp]))
    } catch (error) {
      const isLate = ends.signal.aborted || isTimeout(error)
      return done({
        error: isLate ? `no complete answer within ${totalMs / 1000} seconds` : words(error),
      })
    } finally {
      clearTimeout(timer)
    }
  }

  async function exchange(
    target: URL,
    { headers, ...request }: { body: string; headers: Record<string, string>; signal: AbortSignal },
  ): Promise<Partial<AttemptOutcome>> {
    const response = await agent.request({
      ...request,
      origin: target.origin,
      path: `${target.pathname}${target.search}`,
      method: 'POST',
      highWaterMark: KEPT_BYTES,
      headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Florin' },
    })
    const retryAfter = response.headers['retry-after']
    return {
      statusCode: response.statusCode,
      answer: await readSome(response.body),
      retryAfterMs: parseRetryAfter([retryAfter].flat()[0], new Date()),
    }
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

/**
 * The beginning of the answer; what comes after is not waited for. Copied, because somebody who sends
 * single bytes would otherwise have us keep an object for each.
 */
async function readSome(body: AsyncIterable<Buffer>): Promise<string> {
  const kept = Buffer.alloc(KEPT_BYTES)
  let size = 0
  for await (const chunk of body) {
    if (size < KEPT_BYTES) chunk.copy(kept, size)
    size += chunk.length
    if (size >= READ_BYTES) break
  }
  return storable(kept.subarray(0, size))
}

/** Whatever bytes came, as text that a database holds. */
export function storable(bytes: Buffer): string {
  const text = new TextDecoder('utf-8').decode(bytes)
  return text.replaceAll('\0', '\ufffd')
}

const isTimeout = (error: unknown) =>
  /^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test((error as NodeJS.ErrnoException).code ?? '')

function words(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  if (error instanceof AnswerTooLarge) return 'the answer is too large'
  if (error instanceof errors.HTTPParserError) return 'the answer is not HTTP'
  const { code = 'error', message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOTFOUND':
    case 'ENODATA':
    case 'ESERVFAIL':
    case 'EREFUSED':
    case 'ETIMEOUT':
    case 'EAI_AGAIN':
      return 'the name of the host cannot be resolved'
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
