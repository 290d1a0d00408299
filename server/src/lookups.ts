import type { Credential } from './core/credentials.ts'
import type { CurrencyCode } from './core/currencies.ts'
import { hashToken, isToken, type StoreId } from './core/ids.ts'
import type { PinLimits } from './core/pinLimits.ts'
import type { Store } from './core/store.ts'
import { batch } from './database/batch.ts'
import type { Database } from './database/database.ts'
import { OPERATORS } from './ops/operators.ts'
import { recordTokenUse, TOKEN_PREFIX } from './ops/operatorTokens.ts'
import { PEOPLE } from './ops/people.ts'
import { recordStaffUse } from './ops/staffAccounts.ts'
import { parseSessionName, sessionName, walletOfToken } from './ops/walletSessions.ts'
import { createCache } from './platform/cache.ts'
import { findCredentials } from './sql/credentials.ts'
import { findSignedInOperators } from './sql/operators.ts'
import { findActiveTokens } from './sql/operatorTokens.ts'
import { findSignedInPeople } from './sql/people.ts'
import { listPinLimits } from './sql/pinLimits.ts'
import { findRate } from './sql/rates.ts'
import { findStores } from './sql/stores.ts'
import { findSessions, type Session, type SessionKey } from './sql/walletSessions.ts'

// A key that is revoked on another node is refused here after at most `maxAgeMs`.
export const CACHE = { maxAgeMs: 3_000, maxEntries: 10_000 }
const LIMITS = { maxItems: 128, maxWaiting: 20_000, maxWaitMs: 15_000, concurrency: 2 }

/**
 * Creates a lookup for one key. Concurrent requests share a query. A flood of invalid keys or tokens of one kind uses at most two
 * connections, and valid ones are still found.
 */
function createBatchedLookup<Key, Row>(
  find: (keys: Key[]) => Promise<Row[]>,
  nameOf: (item: Key | Row) => string | number,
) {
  return batch<Key, Row | null>(async (keys) => {
    const rows = new Map((await find(keys)).map((row) => [nameOf(row), row]))
    return keys.map((key) => rows.get(nameOf(key)) ?? null)
  }, LIMITS)
}

/** Creates a lookup by the hash of a token, in hex. Only hashes of tokens are stored. */
function createTokenLookup<Row extends { readonly tokenHash: Buffer }>(
  database: Database,
  find: (on: Database, hashes: Buffer[]) => Promise<Row[]>,
) {
  return createBatchedLookup<string, Row>(
    (hashes) =>
      find(
        database,
        hashes.map((hash) => Buffer.from(hash, 'hex')),
      ),
    (item) => (typeof item === 'string' ? item : item.tokenHash.toString('hex')),
  )
}

/**
 * Caches lookups by token. `keyOf` returns null for text that isn't a token, which is neither looked up nor cached. Keys
 * contain the hash of the token: the token is a part of a header, so caching it would keep the whole header in memory.
 */
function cacheByToken<Value>(
  keyOf: (token: string) => string | null,
  load: (key: string) => Promise<Value | null>,
) {
  const cache = createCache(load, CACHE)
  return {
    async get(token: string): Promise<Value | null> {
      const key = keyOf(token)
      return key === null ? null : cache.get(key)
    },
    forget(token: string): void {
      const key = keyOf(token)
      if (key !== null) cache.forget(key)
    },
    forgetAll: cache.forgetAll,
  }
}

const hashOf = (prefix: string) => (token: string) =>
  isToken(token, prefix) ? hashToken(token).toString('hex') : null

function walletSessionKeyOf(token: string): string | null {
  const walletId = walletOfToken(token)
  return walletId && sessionName({ walletId, tokenHash: hashToken(token) })
}

/** What nearly every request looks up: keys, sessions, stores and settings. Each is cached for a few seconds. */
export function createLookups(database: Database, now: () => Date) {
  const personOf = createTokenLookup(database, findSignedInPeople)
  const operatorOf = createTokenLookup(database, findSignedInOperators)
  const operatorTokenOf = createTokenLookup(database, findActiveTokens)
  const walletSessionOf = createBatchedLookup<string, Session & SessionKey>(
    (names) => findSessions(database, names.map(parseSessionName)),
    (item) => (typeof item === 'string' ? item : sessionName(item)),
  )

  return {
    credentials: createCache(
      createBatchedLookup<string, Credential>(
        (apiKeys) => findCredentials(database, apiKeys),
        (item) => (typeof item === 'string' ? item : item.apiKey),
      ),
      CACHE,
    ),
    stores: createCache(
      createBatchedLookup<StoreId, Store>(
        (storeIds) => findStores(database, storeIds),
        (item) => (typeof item === 'number' ? item : item.storeId),
      ),
      CACHE,
    ),
    rates: createCache((pair: `${CurrencyCode}/${CurrencyCode}`) => {
      const [from, to] = pair.split('/') as [CurrencyCode, CurrencyCode]
      return findRate(database, from, to)
    }, CACHE),
    pinLimits: createCache(async (_all: 'all'): Promise<PinLimits> => {
      const limits = await listPinLimits(database)
      return new Map(limits.map(({ currency, amount }) => [currency, amount]))
    }, CACHE),
    operatorTokens: cacheByToken(hashOf(TOKEN_PREFIX), async (hash) =>
      recordTokenUse(database, await operatorTokenOf(hash), now()),
    ),
    walletSessions: cacheByToken(walletSessionKeyOf, walletSessionOf),
    personSessions: cacheByToken(hashOf(PEOPLE.tokenPrefix), async (hash) =>
      recordStaffUse(database, PEOPLE, { session: await personOf(hash), now: now() }),
    ),
    operatorSessions: cacheByToken(hashOf(OPERATORS.tokenPrefix), async (hash) =>
      recordStaffUse(database, OPERATORS, { session: await operatorOf(hash), now: now() }),
    ),
  }
}
