import { type ClientFilter, withoutClient } from '../core/erasure.ts'
import type { StoreAndMode } from '../core/ids.ts'
import type { Database } from '../database/database.ts'
import { findAttempts } from '../sql/deliveries.ts'
import { eraseClients, findEventsOfPayments } from '../sql/erasure.ts'
import { lock } from '../sql/locks.ts'
import { deleteMailsToClients } from '../sql/mail.ts'
import { findNthNewest, listPayments, NO_FILTER } from '../sql/paymentList.ts'
import { type Actor, type Entry, inAuditedTransaction, recordAuditEntries } from './auditLog.ts'
import { MAX_EXPORTED_ATTEMPTS } from './deliveries.ts'
import { redactEvents } from './erasure.ts'
import type { Outbox } from './events.ts'
import { MAX_SCANNED } from './findByWords.ts'
import { inLockQueue } from './lockQueue.ts'
import { readPaymentPage } from './readPayments.ts'

/** A client of a store in one mode. The search covers the payments before `idBefore`, newest first; all if it is null. */
export type ClientPage = StoreAndMode & {
  readonly client: ClientFilter
  readonly idBefore: string | null
}

// No index contains whole email addresses and phone numbers of clients, because every payment would have to update it for
// a rare search. So each call scans a limited number of payments and returns where to continue.
const MAX_FOUND = 200
const DAY_MS = 24 * 3_600_000

const rangeOf = ({ storeId, mode, idBefore }: ClientPage) => ({
  storeId,
  mode,
  idBefore,
  referenceId: null,
  linkId: null,
  idFrom: null,
})

/** Exports the payments of a client with their events and delivery attempts. */
export async function exportClient(
  database: Database,
  outbox: Outbox,
  { page, by }: { page: ClientPage; by: Actor },
) {
  const { records, scannedTo } = await readPaymentPage(database, outbox, {
    range: rangeOf(page),
    filter: { ...NO_FILTER, client: page.client },
    limit: MAX_FOUND,
  })
  const keys = records.map(({ payment }) => payment)
  const [events, attempts] = await Promise.all([
    findEventsOfPayments(database, keys),
    findAttempts(database, keys, MAX_EXPORTED_ATTEMPTS),
  ])
  const entry = entryOf('client.export', page, keys.length)
  if (entry !== null)
    await inAuditedTransaction(database, by, async () => ({ result: null, entry }))
  return { records, events, attempts, next: nextOf(keys, scannedTo) }
}

/**
 * Erases the client, the payload, the return URL and the note from the payments of a client and from their events. Deletes
 * the emails to the client.
 */
export async function eraseClient(
  database: Database,
  { page, by }: { page: ClientPage; by: Actor },
): Promise<{ readonly payments: number; readonly next: string | null }> {
  const range = rangeOf(page)
  return inLockQueue(`store ${page.storeId}`, async () => {
    const scannedTo = await findNthNewest(database, range, MAX_SCANNED)
    return database.transaction(async (tx) => {
      const at = await lock(tx, { stores: [page.storeId] })
      const found = await listPayments(
        tx,
        { ...range, idFrom: scannedTo },
        { filter: { ...NO_FILTER, client: page.client }, limit: MAX_FOUND },
      )
      await eraseClients(tx, found, { eraseNote: true })
      await redactEvents(tx, found, withoutClient)
      await deleteMailsToClients(tx, found, new Date(at.getTime() - DAY_MS))
      const entry = entryOf('client.erase', page, found.length)
      if (entry !== null) await recordAuditEntries(tx, [{ by, entry }], at)
      return { payments: found.length, next: nextOf(found, scannedTo) }
    })
  })
}

function nextOf(found: readonly { readonly paymentId: string }[], scannedTo: string | null) {
  return found.length === MAX_FOUND ? found.at(-1)!.paymentId : scannedTo
}

/** Doesn't name the client. A later page without results adds no entry. */
function entryOf(action: string, { storeId, mode, idBefore }: ClientPage, payments: number) {
  if (idBefore !== null && payments === 0) return null
  return {
    action,
    subject: `store:${storeId}`,
    before: null,
    after: { mode, payments },
  } satisfies Entry
}
