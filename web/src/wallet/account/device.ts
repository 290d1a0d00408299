import { deviceOf } from '@florin/shared/device.js'

/** A short name for a User-Agent header, such as "Chrome, Android". Null for an unknown device. */
export function deviceText(userAgent: string): string | null {
  const { browser, system } = deviceOf(userAgent)
  return [browser, system].filter((name) => name !== null).join(', ') || null
}
