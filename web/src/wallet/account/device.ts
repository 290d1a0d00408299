const BROWSERS = [
  ['Edge', /Edg\//],
  ['Firefox', /Firefox\/|FxiOS\//],
  ['Chrome', /Chrome\/|CriOS\//],
  ['Safari', /Safari\//],
] as const

const SYSTEMS = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Macintosh/],
  ['Linux', /Linux/],
] as const

const find = (all: readonly (readonly [string, RegExp])[], text: string) =>
  all.find(([, pattern]) => pattern.test(text))?.[0]

/** A short name for a User-Agent header, such as "Chrome, Android". Null if it is empty. */
export function deviceName(userAgent: string): string | null {
  const names = [find(BROWSERS, userAgent), find(SYSTEMS, userAgent)].filter(Boolean)
  if (names.length > 0) return names.join(', ')
  return userAgent === '' ? null : userAgent.slice(0, 40)
}
