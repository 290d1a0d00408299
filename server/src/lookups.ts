import type { Credential } from './core/credentials.ts'
import type { CurrencyCode } from './core/currencies.ts'
import { hashToken, type StoreId } from './core/ids.ts'
import type { PinLimits } from './core/pinLimits.ts'
import type { Store } from './core/store.ts'
import { batch } from './database/batch.ts'
import type { Database } from './database/database.ts'
import { OPERATORS } from './ops/operators.ts'
import { authenticateToken } from './ops/operatorTokens.ts'
import { PEOPLE } from './ops/people.ts'
import { authenticateStaff } from './ops/staffAccounts.ts'
import { walletOfToken } from './ops/walletSessions.ts'
import { createCache } from './platform/cache.ts'
import { findCredentials } from './sql/credentials.ts'
import { findSignedInOperators } from './sql/operators.ts'
import { findActiveTokens } from './sql/operatorTokens.ts'
import { findSignedIn } from './sql/people.ts'
import { listPinLimits } from './sql/pinLimits.ts'
import { findRate } from './sql/rates.ts'
import { findStores } from './sql/stores.ts'
import { findSessions, type Session, type SessionKey } from './sql/walletSessions.ts'

// A key that is revoked on another node is refused here after at most `maxAgeMs`.
export const CACHE = { maxAgeMs: 3_000, maxEntries: 10_000 }
const LIMITS = { maxItems: 128, maxWaiting: 20_000, maxWaitMs: 15_000, concurrency: 2 }

/**
 * Batches lookups: concurrent requests share a query. A flood of invalid keys or tokens of one kind uses at most two
 * connections, and valid ones are still found.
 */
function batchedLookup<Key, Row>(
  name: string,
  find: (keys: Key[]) => Promise<Row[]>,
  nameOf: (item: Key | Row) => string | number,
) {
  return batch<Key, Row | null>(
    async (keys) => {
      const rows = new Map((await find(keys)).map((row) => [nameOf(row), row]))
      return keys.map((key) => rows.get(nameOf(key)) ?? null)
    },
    { ...LIMITS, name },
  )
}

/** Looks up a row by its token. Only hashes of tokens are stored. */
function byToken<Row extends { readonly tokenHash: Buffer }>(
  name: string,
  find: (hashes: Buffer[]) => Promise<Row[]>,
) {
  const lookup = batchedLookup<{ tokenHash: Buffer }, Row>(
    name,
    (keys) => find(keys.map(({ tokenHash }) => tokenHash)),
    ({ tokenHash }) => tokenHash.toString('hex'),
  )
  return (token: string) => lookup({ tokenHash: hashToken(token) })
}

/** What nearly every request looks up: keys, sessions, stores and settings. Each is cached for a few seconds. */
export function lookups(database: Database) {
  const personOf = byToken('people', (hashes) => findSignedIn(database, hashes))
  const operatorOf = byToken('operator sessions', (hashes) =>
    findSignedInOperators(database, hashes),
  )
  const operatorTokenOf = byToken('operator tokens', (hashes) => findActiveTokens(database, hashes))
  const walletSessionOf = batchedLookup<SessionKey, Session & SessionKey>(
    'wallet sessions',
    (keys) => findSessions(database, keys),
    ({ walletId, tokenHash }) => `${walletId} ${tokenHash.toString('hex')}`,
  )

  return {
    credentials: createCache(
      batchedLookup<string, Credential>(
        'credentials',
        (apiKeys) => findCredentials(database, apiKeys),
        (item) => (typeof item === 'string' ? item : item.apiKey),
      ),
      CACHE,
    ),
    stores: createCache(
      batchedLookup<StoreId, Store>(
        'stores',
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
    operatorTokens: createCache(
      (token: string) => authenticateToken(database, token, operatorTokenOf),
      CACHE,
    ),
    walletSessions: createCache(async (token: string): Promise<Session | null> => {
      const walletId = walletOfToken(token)
      return walletId && walletSessionOf({ walletId, tokenHash: hashToken(token) })
    }, CACHE),
    personSessions: createCache(
      (token: string) => authenticateStaff(database, PEOPLE, token, personOf),
      CACHE,
    ),
    operatorSessions: createCache(
      (token: string) => authenticateStaff(database, OPERATORS, token, operatorOf),
      CACHE,
    ),
  }
}
