/** The browser and the system that a User-Agent header names. Null for what it doesn't name. */
type Device = { readonly browser: string | null; readonly system: string | null }

/** The first match wins: most browsers also name Chrome and Safari. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Version\/.{1,60}Safari\//, 'Safari'],
]
const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Macintosh/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]
const MAX_LENGTH = 400

export function deviceOf(userAgent: string): Device {
  const text = userAgent.slice(0, MAX_LENGTH)
  const find = (patterns: typeof BROWSERS) =>
    patterns.find(([pattern]) => pattern.test(text))?.[1] ?? null
  const browser = find(BROWSERS)
  const system = find(SYSTEMS)
  if (browser !== null || system !== null) return { browser, system }
  // A program, such as curl/8.5.0.
  return { browser: /^([A-Za-z][\w.-]{0,30})\//.exec(text)?.[1] ?? null, system }
}

/** The browser and the system, in English. Empty for an unknown device. */
export function deviceName(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  return browser !== null && system !== null ? `${browser} on ${system}` : (browser ?? system ?? '')
}
