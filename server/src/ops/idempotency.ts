import type { StoreAndMode } from '../core/ids.ts'
import type { Payment } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { type KeyOwner, type KeyStore, type StoredResponse, storeKeys } from '../sql/idempotency.ts'
import { lock, makeReadsDurable } from '../sql/locks.ts'
import { inLockQueue } from './lockQueue.ts'

export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000

/** An Idempotency-Key, and the function that serializes the response to store. */
export type IdempotencyKey<Subject = Payment> = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly serialize: (subject: Subject) => string
}

export type Replay =
  | { readonly kind: 'replayed'; readonly response: string }
  | { readonly kind: 'key_reused' }

type WithKey<Subject> = { readonly idempotencyKey: IdempotencyKey<Subject> | null }

/**
 * Loads the stored responses of a batch. A key commits together with its change, so a crash leaves no half-done
 * key, and a concurrent request finds the response once it has the lock. `locked` resolves to the time of the op
 * when the lock is held.
 */
export async function loadIdempotencyKeys<Request extends WithKey<Subject>, Subject = Payment>(
  tx: Tx,
  keyStore: KeyStore,
  requests: readonly Request[],
  ownerOf: (request: Request) => KeyOwner,
  locked: Promise<Date>,
) {
  const keyed = requests.filter((request) => request.idempotencyKey !== null)
  const keys = keyed.map((request) => ({
    owner: ownerOf(request),
    key: request.idempotencyKey!.key,
  }))
  const find = async () => (keys.length === 0 ? [] : keyStore.find(tx, keys))
  const [at, found] = await Promise.all([locked, find()])
  const oldest = new Date(at.getTime() - IDEMPOTENCY_TTL_MS)
  const stale = found.filter(({ createdAt }) => createdAt <= oldest)
  const storedResponses = new Map(
    found
      .filter(({ createdAt }) => createdAt > oldest)
      .map((stored) => [nameOf(stored.owner, stored.key), stored]),
  )
  // A replay acknowledges the first request again, so the standby must have it, too.
  if (storedResponses.size > 0) await makeReadsDurable(tx)
  const added: StoredResponse[] = []

  return {
    replay(request: Request): Replay | null {
      if (request.idempotencyKey === null) return null
      const stored = storedResponses.get(nameOf(ownerOf(request), request.idempotencyKey.key))
      if (stored === undefined) return null
      if (!stored.fingerprint.equals(request.idempotencyKey.fingerprint))
        return { kind: 'key_reused' }
      return { kind: 'replayed', response: stored.response }
    },
    /** Returns the response to store, so that it isn't serialized twice; null without a key. */
    add(request: Request, subject: Subject): string | null {
      if (request.idempotencyKey === null) return null
      const { key, fingerprint, serialize } = request.idempotencyKey
      const owner = ownerOf(request)
      const response = serialize(subject)
      const stored = { owner, key, fingerprint, response, createdAt: at }
      storedResponses.set(nameOf(owner, key), stored)
      added.push(stored)
      return response
    },
    async write(): Promise<void> {
      await Promise.all([
        stale.length > 0 && keyStore.remove(tx, stale),
        added.length > 0 && keyStore.insert(tx, added),
      ])
    },
  }
}

/** The stored response of a key, for a request that is no longer valid. Waits for the first request if it is still running. */
export async function findReplay<Subject>(
  database: Database,
  owner: StoreAndMode,
  idempotencyKey: IdempotencyKey<Subject>,
): Promise<Replay | null> {
  return inLockQueue(`store ${owner.storeId}`, () =>
    database.transaction(async (tx) => {
      const request = { idempotencyKey }
      const responses = await loadIdempotencyKeys<typeof request, Subject>(
        tx,
        storeKeys,
        [request],
        () => owner,
        lock(tx, { stores: [owner.storeId] }),
      )
      return responses.replay(request)
    }),
  )
}

function nameOf(owner: KeyOwner, key: string): string {
  return 'walletId' in owner ? `${owner.walletId} ${key}` : `${owner.storeId} ${owner.mode} ${key}`
}
