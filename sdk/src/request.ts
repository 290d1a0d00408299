import { invalid } from './amounts.ts'
import { retryWaitMs, sleep } from './backoff.ts'
import { webCrypto } from './crypto.ts'
import { errorOf } from './errorOf.ts'
import { ConnectionError, FlorinError, TimeoutError } from './errors.ts'
import { checkedMs, checkedRetries, type Settings } from './settings.ts'

export type RequestOptions = {
  /** Ends the call with the signal's reason, as `fetch` does. */
  readonly signal?: AbortSignal
  /** For each attempt. */
  readonly timeoutMs?: number
  readonly maxRetries?: number
}

export type WriteOptions = RequestOptions & {
  /** Made for you where absent. Give your own to be safe across a restart of your program too. */
  readonly idempotencyKey?: string
}

export type Call = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly query?: Readonly<Record<string, string | number | Date | undefined>>
  readonly body?: string
  /** Carries an idempotency key, so that sending it again does nothing more. */
  readonly once?: boolean
  /** How long the service may take by design before it answers. */
  readonly waitMs?: number
}

type Attempt = Call & { readonly url: string; readonly idempotencyKey: string | null }

/** Sends requests and repeats what may be repeated. Keys are private, so that no log prints them. */
export class Requester {
  readonly #settings: Settings

  constructor(settings: Settings) {
    this.#settings = settings
  }

  /** The `data` of the answer. */
  async json<Data>(call: Call, options: WriteOptions): Promise<Data> {
    return this.#send(call, options, (bytes) => {
      const { data } = JSON.parse(new TextDecoder().decode(bytes))
      if (data === undefined) throw new Error('the answer has no data')
      return data as Data
    })
  }

  async bytes(call: Call, options: RequestOptions): Promise<Uint8Array> {
    return this.#send(call, options, (bytes) => bytes)
  }

  async #send<Result>(
    call: Call,
    options: WriteOptions,
    read: (bytes: Uint8Array) => Result,
  ): Promise<Result> {
    const maxRetries = checkedRetries(options.maxRetries ?? this.#settings.maxRetries)
    const timeoutMs = checkedMs('timeoutMs', options.timeoutMs ?? this.#settings.timeoutMs)
    const limits = { timeoutMs: timeoutMs + (call.waitMs ?? 0), signal: options.signal }
    const idempotencyKey = call.once ? await keyOf(options) : null
    const attempt = { ...call, url: this.#urlOf(call), idempotencyKey }
    const isRepeatable = call.method === 'GET' || idempotencyKey !== null
    for (let retries = 0; ; retries++) {
      options.signal?.throwIfAborted()
      const outcome = await this.#try(attempt, limits, read)
      if (!(outcome instanceof FlorinError)) return outcome
      const waitMs = retries < maxRetries ? retryWaitMs(outcome, { isRepeatable, retries }) : null
      if (waitMs === null) throw outcome
      await sleep(waitMs, options.signal)
    }
  }

  async #try<Result>(
    attempt: Attempt,
    { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal | undefined },
    read: (bytes: Uint8Array) => Result,
  ): Promise<Result | FlorinError> {
    const { idempotencyKey } = attempt
    // By hand, because Node.js 18 has no AbortSignal.any.
    const controller = new AbortController()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      controller.abort()
    }, timeoutMs)
    const stop = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', stop, { once: true })
    try {
      const { fetch } = this.#settings
      const response = await fetch(attempt.url, this.#init(attempt, controller.signal))
      const bytes = new Uint8Array(await response.arrayBuffer())
      if (response.ok) return read(bytes)
      const { status, headers } = response
      // `status` is 0 where a runtime hides what a redirect says.
      if (status < 400) return new FlorinError('The service redirects: correct baseUrl', { status })
      return errorOf({ status, headers, text: new TextDecoder().decode(bytes), idempotencyKey })
    } catch (cause) {
      if (signal?.aborted) throw signal.reason
      const what = `${attempt.method} ${attempt.path}`
      if (isLate) {
        return new TimeoutError(`No answer to ${what} in ${timeoutMs} ms`, { idempotencyKey })
      }
      const why = cause instanceof Error ? cause.message : String(cause)
      return new ConnectionError(`No answer to ${what}: ${why}`, { idempotencyKey, cause })
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', stop)
    }
  }

  #init({ method, body, idempotencyKey }: Attempt, signal: AbortSignal): RequestInit {
    const { apiKey, apiSecret } = this.#settings
    return {
      method,
      headers: {
        'api-key': apiKey,
        'api-secret': apiSecret,
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body }),
      // A redirect would carry the secret to wherever it leads.
      redirect: 'manual',
      signal,
    }
  }

  #urlOf({ path, query = {} }: Call): string {
    const search = new URLSearchParams()
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue
      search.set(name, value instanceof Date ? value.toISOString() : String(value))
    }
    const text = search.toString()
    return `${this.#settings.baseUrl}${path}${text === '' ? '' : `?${text}`}`
  }
}

async function keyOf({ idempotencyKey }: WriteOptions): Promise<string> {
  if (idempotencyKey === undefined) return (await webCrypto()).randomUUID()
  if (/^[\x21-\x7e]{1,255}$/.test(idempotencyKey)) return idempotencyKey
  throw invalid('idempotencyKey', 'must be 1 to 255 visible ASCII characters')
}
