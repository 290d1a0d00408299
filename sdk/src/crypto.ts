// Not by its own name, which is no global type where only those of Node.js are known.
type Crypto = typeof globalThis.crypto

let found: Crypto | undefined = globalThis.crypto

/** WebCrypto. Node.js 18 has it, but not among its globals. */
export async function webCrypto(): Promise<Crypto> {
  if (found === undefined) {
    // Not written out in the import, so that no bundler for another runtime looks for it.
    const name = 'node:crypto'
    const module = await import(/* @vite-ignore */ /* webpackIgnore: true */ name)
    found = module.webcrypto as Crypto
  }
  return found
}

export type Bytes = Uint8Array<ArrayBuffer>

export const utf8 = (text: string): Bytes => new TextEncoder().encode(text)

export function base64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

/** Null for what is not base64. */
export function fromBase64(text: string): Bytes | null {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  } catch {
    return null
  }
}

export function joined(...parts: readonly Uint8Array[]): Bytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
