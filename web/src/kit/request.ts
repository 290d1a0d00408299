/** The path of the service without a trailing slash. Empty unless a proxy adds a path. */
export const basePath = document.documentElement.dataset.base ?? ''

type FieldError = { readonly field: string; readonly message: string }

/** A request that failed. Messages are the server's own, in English. */
export class Problem extends Error {
  /** The HTTP status. 0 means that no readable response arrived. */
  readonly status: number
  /** What is wrong with each invalid field of the request. */
  readonly errors: readonly FieldError[]

  constructor(status: number, message = '', errors: readonly FieldError[] = []) {
    super(message)
    this.status = status
    this.errors = errors
  }

  /** The fields of the request that are invalid. */
  get fields(): readonly string[] {
    return this.errors.map(({ field }) => field)
  }
}

/** No connection, or a server that is unavailable. The same request can work in a moment. */
export const isTemporary = ({ status }: Problem): boolean =>
  status === 0 || status === 502 || status === 503 || status === 504

export type ApiResponse<Data> =
  /** `serverMs` is the server's clock. The clock of a tablet can be wrong by hours. */
  | { readonly ok: true; readonly data: Data; readonly serverMs: number }
  | { readonly ok: false; readonly problem: Problem }

export type RequestOptions = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** A `Blob` is sent unchanged, anything else as JSON. */
  readonly body?: unknown
  /** The Idempotency-Key. */
  readonly key?: string
  /** The id of the session or wallet that the page shows. The server refuses the request if the cookie is for another. */
  readonly session?: string
  readonly signal?: AbortSignal
  /** For long polls: the longest time for which the server may hold the request. */
  readonly waitSeconds?: number
  readonly timeoutMs?: number
  /** Parses the body. `JSON.parse` by default. */
  readonly parse?: (text: string) => unknown
}

export type SendRequest = <Data>(
  path: string,
  options?: RequestOptions,
) => Promise<ApiResponse<Data>>

// Without a timeout, a request over a lost Wi-Fi connection hangs for minutes.
const TIMEOUT_MS = 10_000

export const request: SendRequest = async <Data>(path: string, options: RequestOptions = {}) => {
  const { method = 'GET', body, key, session, signal, waitSeconds = 0 } = options
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = setTimeout(abort, waitSeconds * 1000 + (options.timeoutMs ?? TIMEOUT_MS))
  signal?.addEventListener('abort', abort, { once: true })
  const headers = new Headers()
  if (body !== undefined) {
    headers.set('content-type', body instanceof Blob ? body.type : 'application/json')
  }
  if (key !== undefined) headers.set('idempotency-key', key)
  if (session !== undefined) headers.set('x-florin-session', session)
  try {
    const response = await fetch(`${basePath}/${path}`, {
      method,
      headers,
      body: body === undefined || body instanceof Blob ? (body ?? null) : JSON.stringify(body),
      cache: 'no-store',
      signal: controller.signal,
    })
    const text = await response.text()
    // A proxy refuses a body that is too large for it with a page of its own. Other pages of a proxy say nothing about an
    // earlier attempt, which may have succeeded, so they count as no response.
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    if (response.status === 413 && !isJson) return { ok: false, problem: new Problem(413) }
    const content = (options.parse ?? JSON.parse)(text) as {
      readonly data: Data
      readonly message: string
      readonly errors?: readonly FieldError[]
    }
    if (!response.ok) {
      return { ok: false, problem: new Problem(response.status, content.message, content.errors) }
    }
    const serverMs = Date.parse(response.headers.get('date') ?? '') || Date.now()
    return { ok: true, data: content.data, serverMs }
  } catch {
    return { ok: false, problem: new Problem(0) }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}
