import { storedText } from '../kit/storage.ts'

/** What the payer agreed to, and the name of what is paid. */
export type Terms = {
  readonly name: string
  readonly amount: string | null
  readonly rate: string | null
  readonly donation: string
}

type AttemptKey = { readonly key: string; readonly createdMs: number }

/**
 * The keys of requests with an unknown outcome, by their terms. They survive a restart of the app and a sign-in, and all tabs
 * share them, because a link can be paid again: with another key, the payer would be charged twice. There can be several,
 * because the payer may pay something else before trying again. The terms contain the wallet, so another wallet never finds them.
 */
const storedKeys = storedText('florin.wallet.attempts')

/** The service stores a key for 24 hours. With an older one, the payer could be charged twice. */
const MAX_KEY_AGE_MS = 23 * 3_600_000

export const isKeyValid = ({ createdMs }: Pick<AttemptKey, 'createdMs'>) =>
  Date.now() - createdMs < MAX_KEY_AGE_MS

/** The keys as text, if they could not be stored: a browser can forbid storage, or the storage is full. Null otherwise. */
let unstoredKeys: string | null = null

function readKeys(): Map<string, AttemptKey> {
  const text = unstoredKeys ?? storedKeys.get() ?? '[]'
  const entries = JSON.parse(text) as [string, AttemptKey][]
  return new Map(entries.filter(([, key]) => isKeyValid(key)))
}

function writeKeys(keys: ReadonlyMap<string, AttemptKey>): void {
  const text = JSON.stringify([...keys])
  storedKeys.set(text)
  unstoredKeys = storedKeys.get() === text ? null : text
}

const textOf = ({ name, amount, rate, donation }: Terms) => `${name} ${amount} ${rate} ${donation}`

/** The terms of an attempt with an unknown outcome to pay the same amount of a link. Its rate and donation may differ. */
export function findUncertain({ name, amount }: Pick<Terms, 'name' | 'amount'>): Terms | null {
  const start = `${name} ${amount} `
  const text = [...readKeys().keys()].find((text) => text.startsWith(start))
  if (text === undefined) return null
  const [rate, donation] = text.slice(start.length).split(' ') as [string, string]
  return { name, amount, rate, donation }
}

/** The key of the last attempt with the same terms if it is still valid, otherwise a new one. */
export function keyFor(terms: Terms): AttemptKey {
  const keys = readKeys()
  const stored = keys.get(textOf(terms))
  if (stored !== undefined) return stored
  const newKey = { key: crypto.randomUUID(), createdMs: Date.now() }
  writeKeys(keys.set(textOf(terms), newKey))
  return newKey
}

/** Call this when the outcome of the attempt is known. */
export function forgetKey(terms: Terms): void {
  const keys = readKeys()
  keys.delete(textOf(terms))
  writeKeys(keys)
}

/** For when the payer signs out. */
export function forgetAllKeys(): void {
  storedKeys.remove()
  unstoredKeys = null
}
