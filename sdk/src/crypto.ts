// `Crypto` is not a global type if only the types of Node.js are known.
type Crypto = typeof globalThis.crypto

let cached: Crypto | undefined = globalThis.crypto

/** Returns WebCrypto. In Node.js 18 it is not a global. */
export async function webCrypto(): Promise<Crypto> {
  if (cached === undefined) {
    // Use a variable, so that bundlers for other runtimes don't resolve it.
    const name = 'node:crypto'
    const module = await import(/* @vite-ignore */ /* webpackIgnore: true */ name)
    cached = module.webcrypto as Crypto
  }
  return cached
}

export type Bytes = Uint8Array<ArrayBuffer>

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Returns null for invalid base64. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
