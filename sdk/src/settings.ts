export type FlorinOptions = {
  readonly apiKey: string
  readonly apiSecret: string
  /** URL of your Florin service, such as https://pay.example.com. */
  readonly baseUrl: string
  /** Per attempt; default: 30 seconds. */
  readonly timeoutMs?: number | undefined
  /** Retries of calls that are safe to retry; default: 3. */
  readonly maxRetries?: number | undefined
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined
}

export type Settings = { [Name in keyof FlorinOptions]-?: NonNullable<FlorinOptions[Name]> }

const TIMEOUT_MS = 30_000
const MAX_RETRIES = 3
/** A longer timer fires immediately. */
export const MAX_TIMER_MS = 2 ** 31 - 1

/** Validates the settings before anything is sent. */
export function readSettings(options: FlorinOptions): Settings {
  return {
    apiKey: checkedKey('apiKey', options.apiKey),
    apiSecret: checkedKey('apiSecret', options.apiSecret),
    baseUrl: checkedUrl(options.baseUrl),
    timeoutMs: checkedMs('timeoutMs', options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: checkedRetries(options.maxRetries ?? MAX_RETRIES),
    // Look up the global fetch on each call. Some runtimes refuse to call it as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  }
}

// Never print the value: it may be a secret.
function checkedKey(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value
  throw new TypeError(`${name} must be a string of visible ASCII characters`)
}

function checkedUrl(value: unknown): string {
  let url: URL
  try {
    url = new URL(String(value))
  } catch {
    throw new TypeError('baseUrl must be a URL such as https://pay.example.com')
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be http or https')
  return withoutTrailingSlashes(`${url.origin}${url.pathname}`)
}

export function checkedMs(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return Math.min(value, MAX_TIMER_MS)
  throw new TypeError(`${name} must be a positive number of milliseconds`)
}

export function checkedRetries(value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new TypeError('maxRetries must be a whole number, 0 or more')
}

function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}
