import type { Mode, StoreId } from '../core/ids.ts'
import type { Payment } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { type KeyStore, type Owner, type StoredResponse, storeKeys } from '../sql/idempotency.ts'
import { databaseTime } from '../sql/locks.ts'

export const IDEMPOTENCY_TTL_MS = 24 * 3_600_000

/** An Idempotency-Key, and the function that serializes the response to store. */
export type IdempotencyKey<Subject = Payment> = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly answer: (subject: Subject) => string
}

export type Replay =
  | { readonly kind: 'replayed'; readonly answer: string }
  | { readonly kind: 'key_reused' }

type Keyed<Subject> = { readonly idempotencyKey: IdempotencyKey<Subject> | null }

/**
 * Loads the stored responses of a batch. A key commits together with its change, so a crash leaves no half-done
 * key, and a concurrent request finds the response once it has the lock. `locked` resolves to the time of the op
 * when the lock is held.
 */
export async function loadIdempotencyKeys<Request extends Keyed<Subject>, Subject = Payment>(
  tx: Tx,
  store: KeyStore,
  requests: readonly Request[],
  ownerOf: (request: Request) => Owner,
  locked: Promise<Date>,
) {
  const keyed = requests.filter((request) => request.idempotencyKey !== null)
  const wanted = keyed.map((request) => ({
    owner: ownerOf(request),
    key: request.idempotencyKey!.key,
  }))
  const find = async () => (wanted.length === 0 ? [] : store.find(tx, wanted))
  const [at, found] = await Promise.all([locked, find()])
  const oldest = new Date(at.getTime() - IDEMPOTENCY_TTL_MS)
  const stale = found.filter((answer) => answer.createdAt <= oldest)
  const known = new Map(
    found
      .filter((answer) => answer.createdAt > oldest)
      .map((answer) => [nameOf(answer.owner, answer.key), answer]),
  )
  const added: StoredResponse[] = []

  return {
    replay(request: Request): Replay | null {
      if (request.idempotencyKey === null) return null
      const answer = known.get(nameOf(ownerOf(request), request.idempotencyKey.key))
      if (answer === undefined) return null
      if (!answer.fingerprint.equals(request.idempotencyKey.fingerprint))
        return { kind: 'key_reused' }
      return { kind: 'replayed', answer: answer.answer }
    },
    /** Returns the stored response, so that it isn't serialized twice; null without a key. */
    keep(request: Request, subject: Subject): string | null {
      if (request.idempotencyKey === null) return null
      const { key, fingerprint, answer } = request.idempotencyKey
      const owner = ownerOf(request)
      const kept = { owner, key, fingerprint, answer: answer(subject), createdAt: at }
      known.set(nameOf(owner, key), kept)
      added.push(kept)
      return kept.answer
    },
    async write(): Promise<void> {
      await Promise.all([
        stale.length > 0 && store.remove(tx, stale),
        added.length > 0 && store.insert(tx, added),
      ])
    },
  }
}

/** The stored response of a key, for a request that is no longer valid. */
export async function findReplay<Subject>(
  database: Database,
  owner: { storeId: StoreId; mode: Mode },
  idempotencyKey: IdempotencyKey<Subject>,
): Promise<Replay | null> {
  return database.transaction(async (tx) => {
    const request = { idempotencyKey }
    const answers = await loadIdempotencyKeys<typeof request, Subject>(
      tx,
      storeKeys,
      [request],
      () => owner,
      databaseTime(tx),
    )
    return answers.replay(request)
  })
}

function nameOf(owner: Owner, key: string): string {
  return 'walletId' in owner ? `${owner.walletId} ${key}` : `${owner.storeId} ${owner.mode} ${key}`
}
