import { Agent, buildConnector, errors } from 'undici'
import { type AttemptOutcome, parseRetryAfter } from '../core/webhook.ts'
import { AddressRefused, type AddressRules, addressToCall } from './address.ts'

const TOTAL_MS = 15_000
const READ_BYTES = 64 * 1024
const KEPT_BYTES = 4 * 1024
const MAX_HEADER_BYTES = 16 * 1024
const IDLE_MS = 10_000

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
  { connectionsPerHost }: { connectionsPerHost: number },
): Poster {
  const connect = buildConnector({ timeout: TOTAL_MS })
  const agent = new Agent({
    connections: connectionsPerHost,
    pipelining: 1,
    keepAliveTimeout: IDLE_MS,
    keepAliveMaxTimeout: IDLE_MS,
    headersTimeout: TOTAL_MS,
    bodyTimeout: TOTAL_MS,
    maxHeaderSize: MAX_HEADER_BYTES,
    // Every connection comes through here, also those to literal addresses.
    connect(options, callback) {
      const port = options.port ? `:${options.port}` : ''
      const url = new URL(`${options.protocol}//${options.hostname}${port}`)
      addressToCall(url, rules).then(
        (address) => {
          const servername = options.servername ?? url.hostname
          connect({ ...options, hostname: address, host: address, servername }, callback)
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
    const timer = setTimeout(() => ends.abort(), TOTAL_MS)
    try {
      const target = new URL(url)
      const response = await agent.request({
        origin: target.origin,
        path: `${target.pathname}${target.search}`,
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'user-agent': 'Florin' },
        body,
        signal: ends.signal,
      })
      const retryAfter = response.headers['retry-after']
      return done({
        statusCode: response.statusCode,
        answer: await readSome(response.body),
        retryAfterMs: parseRetryAfter([retryAfter].flat()[0], new Date()),
      })
    } catch (error) {
      return done({ error: ends.signal.aborted ? 'no answer within 15 seconds' : words(error) })
    } finally {
      clearTimeout(timer)
    }
  }

  return { post, close: () => agent.destroy() }
}

/** The beginning of the answer; what comes after is not waited for. */
async function readSome(body: AsyncIterable<Buffer> & { destroy(): unknown }): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= READ_BYTES) break
  }
  return storable(Buffer.concat(chunks).subarray(0, KEPT_BYTES))
}

/** Whatever bytes came, as text that a database holds. */
export function storable(bytes: Buffer): string {
  const text = new TextDecoder('utf-8').decode(bytes)
  return text.replaceAll('\0', '\ufffd')
}

function words(error: unknown): string {
  if (error instanceof AddressRefused) return error.message
  if (error instanceof errors.HeadersOverflowError) return 'the headers of the answer are too large'
  const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: unknown }
  if (cause instanceof AddressRefused) return cause.message
  switch (code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'the name of the host cannot be resolved'
    case 'ECONNREFUSED':
      return 'the connection was refused'
    case 'ECONNRESET':
    case 'UND_ERR_SOCKET':
      return 'the connection was closed before an answer came'
    case 'UND_ERR_CONNECT_TIMEOUT':
    case 'UND_ERR_HEADERS_TIMEOUT':
    case 'UND_ERR_BODY_TIMEOUT':
      return 'no answer within 15 seconds'
    default:
      return storable(Buffer.from(`${code ?? 'error'}: ${message}`.slice(0, 500)))
  }
}
