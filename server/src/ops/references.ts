import type { Mode, StoreId } from '../core/ids.ts'
import type { Store } from '../core/store.ts'
import type { Tx } from '../database/database.ts'
import { findReferencesInUse } from '../sql/payments.ts'

type ReferenceRequest = { readonly store: Store; readonly mode: Mode }

/** Tracks the references in use while a batch is decided, for stores with unique references. */
export async function trackReferences<Request extends ReferenceRequest>(
  tx: Tx,
  requests: readonly Request[],
  referenceOf: (request: Request) => string | null,
  locked: Promise<Date>,
) {
  const name = (storeId: StoreId, mode: Mode, referenceId: string) =>
    `${storeId} ${mode} ${referenceId}`
  const isGuarded = (request: Request) =>
    request.store.uniqueReferences && referenceOf(request) !== null
  const references = requests.filter(isGuarded).map((request) => ({
    storeId: request.store.storeId,
    mode: request.mode,
    referenceId: referenceOf(request)!,
  }))
  const [at, found] = await Promise.all([locked, findReferencesInUse(tx, references)])
  const stillHeld = found.filter(({ until }) => until === null || until > at)
  const held = new Set(stillHeld.map((row) => name(row.storeId, row.mode, row.referenceId)))
  const nameOf = (request: Request) =>
    name(request.store.storeId, request.mode, referenceOf(request)!)
  return {
    isTaken: (request: Request) => isGuarded(request) && held.has(nameOf(request)),
    hold: (request: Request) => {
      if (isGuarded(request)) held.add(nameOf(request))
    },
  }
}
