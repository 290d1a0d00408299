import { type ClientSought, withoutClient } from '../core/erasure.ts'
import type { Mode, StoreId } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import { findAttemptsOf } from '../sql/deliveries.ts'
import { findEventsOf, forgetClients } from '../sql/erasure.ts'
import { lock } from '../sql/locks.ts'
import { findNth, listPayments, NOTHING_SOUGHT } from '../sql/paymentList.ts'
import { type Actor, audited, type Entry, recordActs } from './auditLog.ts'
import { retell } from './erasure.ts'
import type { Outbox } from './events.ts'
import { LOOKED_AT_MOST, readPage } from './readPayments.ts'

/** A merchant's client in one mode of a store, sought from a payment on backwards. */
export type ClientPage = {
  readonly storeId: StoreId
  readonly mode: Mode
  readonly client: ClientSought
  readonly idBefore: string | null
}

// No index knows clients, as every payment would have to write it for what is asked for once in a while.
// So each call looks at so many payments, finds at most so many, and says where to go on.
const MAX_FOUND = 200

const stretchOf = ({ storeId, mode, idBefore }: ClientPage) => ({
  storeId,
  mode,
  idBefore,
  referenceId: null,
  idFrom: null,
})

/** The payments of a client with what was told about them. */
export async function exportClient(
  database: Database,
  outbox: Outbox,
  { page, by }: { page: ClientPage; by: Actor },
) {
  const { stories, lookedTo } = await readPage(database, outbox, {
    stretch: stretchOf(page),
    sought: { ...NOTHING_SOUGHT, client: page.client },
    limit: MAX_FOUND,
  })
  const keys = stories.map(({ payment }) => payment)
  const [events, attempts] = await Promise.all([
    findEventsOf(database, keys),
    findAttemptsOf(database, keys),
  ])
  const entry = entryOf('client.export', page, keys.length)
  if (entry !== null) await audited(database, by, async () => ({ result: null, entry }))
  return { stories, events, attempts, next: nextOf(keys, lookedTo) }
}

/** Takes the client, the payload and the note from the payments of a client, and from what was told of them. */
export async function eraseClient(
  database: Database,
  { page, by }: { page: ClientPage; by: Actor },
): Promise<{ readonly payments: number; readonly next: string | null }> {
  const stretch = stretchOf(page)
  const lookedTo = await findNth(database, stretch, LOOKED_AT_MOST)
  return database.transaction(async (tx) => {
    const at = await lock(tx, { stores: [page.storeId] })
    const found = await listPayments(
      tx,
      { ...stretch, idFrom: lookedTo },
      { sought: { ...NOTHING_SOUGHT, client: page.client }, limit: MAX_FOUND },
    )
    await forgetClients(tx, found, { andNote: true })
    await retell(tx, found, withoutClient)
    const entry = entryOf('client.erase', page, found.length)
    if (entry !== null) await recordActs(tx, [{ by, entry }], at)
    return { payments: found.length, next: nextOf(found, lookedTo) }
  })
}

function nextOf(found: readonly { readonly paymentId: string }[], lookedTo: string | null) {
  return found.length === MAX_FOUND ? found.at(-1)!.paymentId : lookedTo
}

/** Without saying whom; a page further back that found nothing adds nothing. */
function entryOf(action: string, { storeId, mode, idBefore }: ClientPage, payments: number) {
  if (idBefore !== null && payments === 0) return null
  return {
    action,
    subject: `store:${storeId}`,
    before: null,
    after: { mode, payments },
  } satisfies Entry
}
