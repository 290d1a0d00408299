export type FlorinOptions = {
  readonly apiKey: string
  readonly apiSecret: string
  /** Where your Florin is, such as https://pay.example.com. */
  readonly baseUrl: string
  /** For each attempt; 30 seconds where absent. */
  readonly timeoutMs?: number
  /** How often what is safe to repeat is sent again; 3 where absent, 0 for never. */
  readonly maxRetries?: number
  /** Instead of the global one. */
  readonly fetch?: typeof fetch
}

export type Settings = Required<FlorinOptions>

const TIMEOUT_MS = 30_000
const MAX_RETRIES = 3
/** A timer that is set for longer goes off at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Wrong settings are a mistake in the program, found before anything is sent. */
export function readSettings(options: FlorinOptions): Settings {
  return {
    apiKey: checkedKey('apiKey', options.apiKey),
    apiSecret: checkedKey('apiSecret', options.apiSecret),
    baseUrl: checkedUrl(options.baseUrl),
    timeoutMs: checkedMs('timeoutMs', options.timeoutMs ?? TIMEOUT_MS),
    maxRetries: checkedRetries(options.maxRetries ?? MAX_RETRIES),
    // Looked up at each call, and called on nothing: some runtimes refuse any other `this`.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
  }
}

// Never with the value in the message: it may be a secret with a line break at its end.
function checkedKey(name: string, value: unknown): string {
  if (typeof value === 'string' && /^[\x21-\x7e]+$/.test(value)) return value
  throw new TypeError(`${name} must be a string of visible characters`)
}

function checkedUrl(value: unknown): string {
  let url: URL
  try {
    url = new URL(String(value))
  } catch {
    throw new TypeError('baseUrl must be an address such as https://pay.example.com')
  }
  if (!/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be http or https')
  return withoutTrailingSlashes(`${url.origin}${url.pathname}`)
}

export function checkedMs(name: string, value: number): number {
  if (Number.isFinite(value) && value > 0) return Math.min(value, MAX_TIMER_MS)
  throw new TypeError(`${name} must be a number of milliseconds above 0`)
}

export function checkedRetries(value: number): number {
  if (Number.isInteger(value) && value >= 0) return value
  throw new TypeError('maxRetries must be a whole number of 0 or more')
}

function withoutTrailingSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end -= 1
  return text.slice(0, end)
}
