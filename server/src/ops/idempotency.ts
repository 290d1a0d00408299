import type { Mode, StoreId } from '../core/ids.ts'
import type { Payment } from '../core/payment.ts'
import type { Database, Tx } from '../database/database.ts'
import { type KeptAnswer, type KeyStore, type Owner, storeKeys } from '../sql/idempotency.ts'
import { databaseTime } from '../sql/locks.ts'

export const KEEP_ANSWERS_MS = 24 * 3_600_000

/** An Idempotency-Key as it came, and how to write down the answer that will be replayed. */
export type Once = {
  readonly key: string
  readonly fingerprint: Buffer
  readonly answer: (payment: Payment) => string
}

export type Replay =
  | { readonly kind: 'replayed'; readonly answer: string }
  | { readonly kind: 'key_reused' }

type Keyed = { readonly once: Once | null }

/**
 * The answers kept under the keys of one batch. A key's row commits together with what it stands
 * for, so a crash leaves no half-done key, and whoever waits for the lock finds the answer. `locked` is the
 * op's time, known when the lock is held.
 */
export async function openKeptAnswers<Request extends Keyed>(
  tx: Tx,
  store: KeyStore,
  requests: readonly Request[],
  ownerOf: (request: Request) => Owner,
  locked: Promise<Date>,
) {
  const keyed = requests.filter((request) => request.once !== null)
  const asked = keyed.map((request) => ({ owner: ownerOf(request), key: request.once!.key }))
  const find = async () => (asked.length === 0 ? [] : store.find(tx, asked))
  const [at, found] = await Promise.all([locked, find()])
  const oldest = new Date(at.getTime() - KEEP_ANSWERS_MS)
  const stale = found.filter((answer) => answer.createdAt <= oldest)
  const known = new Map(
    found
      .filter((answer) => answer.createdAt > oldest)
      .map((answer) => [nameOf(answer.owner, answer.key), answer]),
  )
  const added: KeptAnswer[] = []

  return {
    replay(request: Request): Replay | null {
      if (request.once === null) return null
      const answer = known.get(nameOf(ownerOf(request), request.once.key))
      if (answer === undefined) return null
      if (!answer.fingerprint.equals(request.once.fingerprint)) return { kind: 'key_reused' }
      return { kind: 'replayed', answer: answer.answer }
    },
    /** What was kept, if anything: the answer need not be written out twice. */
    keep(request: Request, payment: Payment): string | null {
      if (request.once === null) return null
      const { key, fingerprint, answer } = request.once
      const owner = ownerOf(request)
      const kept = { owner, key, fingerprint, answer: answer(payment), createdAt: at }
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

/** What a key stands for already, for a request that would not be accepted any more. */
export async function findReplay(
  database: Database,
  owner: { storeId: StoreId; mode: Mode },
  once: Once,
): Promise<Replay | null> {
  return database.transaction(async (tx) => {
    const request = { once }
    const answers = await openKeptAnswers(tx, storeKeys, [request], () => owner, databaseTime(tx))
    return answers.replay(request)
  })
}

function nameOf(owner: Owner, key: string): string {
  return 'walletId' in owner ? `${owner.walletId} ${key}` : `${owner.storeId} ${owner.mode} ${key}`
}
