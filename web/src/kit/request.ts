import { parseJsonExactly } from '@florin/server/core/json.js'
import { basePath } from './mount.tsx'

/** Status 0 is no answer at all: no connection, or none that lasted. */
export type Problem = {
  readonly status: number
  /** The server's own words, in English. */
  readonly message: string
}

export type Answer<Data> =
  /** `serverMs` is the server's clock: the one of a tablet may be wrong by hours. */
  | { readonly ok: true; readonly data: Data; readonly serverMs: number }
  | { readonly ok: false; readonly problem: Problem }

export type Call = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A file goes as it is, anything else as JSON. */
  readonly body?: unknown
  /** Under the same key the same thing is done once, however often it is asked for. */
  readonly key?: string
  /** Whose session the page believes to act in. */
  readonly session?: string
  readonly signal?: AbortSignal
  /** How long the server itself may take to answer. */
  readonly waitSeconds?: number
}

// Wi-Fi that is gone without a word ends no request: without a limit it would hang for minutes.
const PATIENCE_MS = 10_000

export async function request<Data>(
  path: string,
  { method = 'GET', body, key, session, signal, waitSeconds = 0 }: Call = {},
): Promise<Answer<Data>> {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), waitSeconds * 1000 + PATIENCE_MS)
  signal?.addEventListener('abort', () => stop.abort(), { once: true })
  try {
    const response = await fetch(`${basePath}/${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': typeOf(body) }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(session === undefined || method === 'GET' ? {} : { 'x-florin-session': session }),
      },
      ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
      signal: stop.signal,
    })
    // A merchant's payload may hold numbers that are no doubles.
    const answer = parseJsonExactly(await response.text()) as { data: Data; message: string }
    if (!response.ok) {
      const { errors } = answer as { errors?: { message: string }[] }
      const message = errors?.map((one) => one.message).join('. ') ?? answer.message
      return { ok: false, problem: { status: response.status, message } }
    }
    const serverMs = Date.parse(response.headers.get('date') ?? '') || Date.now()
    return { ok: true, data: answer.data, serverMs }
  } catch {
    return { ok: false, problem: { status: 0, message: '' } }
  } finally {
    clearTimeout(timer)
  }
}

const typeOf = (body: unknown) => (body instanceof Blob ? body.type : 'application/json')
