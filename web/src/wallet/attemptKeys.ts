import { storedText } from '../kit/storage.ts'

export type AttemptKey = { readonly key: string; readonly createdMs: number }

/**
 * The keys of requests without a certain outcome, by their terms. They survive a reload and a sign-in, because a link can be
 * paid again: with another key, the payer would be charged twice. One key for each, because the payer may pay something else
 * before they try again.
 */
const storedKeys = storedText('florin.wallet.attempts', 'sessionStorage')

/** The service stores a key for 24 hours. With an older one, the payer could be charged twice. */
const MAX_KEY_AGE_MS = 23 * 3_600_000

export const isKeyValid = ({ createdMs }: Pick<AttemptKey, 'createdMs'>) =>
  Date.now() - createdMs < MAX_KEY_AGE_MS

function readKeys(): Map<string, AttemptKey> {
  const entries = JSON.parse(storedKeys.get() ?? '[]') as [string, AttemptKey][]
  return new Map(entries.filter(([, key]) => isKeyValid(key)))
}

const writeKeys = (keys: ReadonlyMap<string, AttemptKey>) =>
  storedKeys.set(JSON.stringify([...keys]))

/** The key of the last attempt with the same terms if it is still valid, otherwise a new one. */
export function keyFor(terms: string): AttemptKey {
  const keys = readKeys()
  const stored = keys.get(terms)
  if (stored !== undefined) return stored
  const newKey = { key: crypto.randomUUID(), createdMs: Date.now() }
  writeKeys(keys.set(terms, newKey))
  return newKey
}

/** Call it when the outcome of the attempt is certain. */
export function forgetKey(terms: string): void {
  const keys = readKeys()
  keys.delete(terms)
  writeKeys(keys)
}
