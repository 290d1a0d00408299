import { mintLinkId } from '../core/ids.ts'
import {
  type Link,
  type LinkKey,
  linkStateOf,
  MAX_ACTIVE_LINKS,
  type NewLink,
} from '../core/link.ts'
import { linkView } from '../core/linkView.ts'
import type { LinkChanges } from '../core/newLink.ts'
import type { Store } from '../core/store.ts'
import type { Database, Tx } from '../database/database.ts'
import { storeKeys } from '../sql/idempotency.ts'
import { countActiveLinks, findLink, insertLink, updateLink } from '../sql/links.ts'
import { lock } from '../sql/locks.ts'
import { type Actor, type Entry, notDone } from './auditLog.ts'
import { type IdempotencyKey, loadIdempotencyKeys, type Replay } from './idempotency.ts'
import { inStoreTransaction } from './lockQueue.ts'

type CreateLinkRequest = {
  readonly store: Store
  readonly mode: LinkKey['mode']
  readonly link: NewLink
  readonly idempotencyKey: IdempotencyKey<Link> | null
}

export type CreateLinkResult =
  | { readonly kind: 'created'; readonly link: Link }
  | { readonly kind: 'too_many_links' }
  | Replay

export async function createLink(
  database: Database,
  actor: Actor,
  request: CreateLinkRequest,
): Promise<CreateLinkResult> {
  const { store, mode } = request
  const { storeId } = store
  return inStoreTransaction<CreateLinkResult>(database, { storeId, actor }, async (tx) => {
    const locked = lock(tx, { stores: [storeId] })
    const [at, responses, count] = await Promise.all([
      locked,
      loadIdempotencyKeys<CreateLinkRequest, Link>(
        tx,
        storeKeys,
        [request],
        () => ({ storeId, mode }),
        locked,
      ),
      countActiveLinks(tx, { storeId, mode }),
    ])
    const replay = responses.replay(request)
    if (replay !== null) return notDone(replay)
    if (count >= MAX_ACTIVE_LINKS) return notDone({ kind: 'too_many_links' })
    const link: Link = {
      ...request.link,
      storeId,
      mode,
      linkId: mintLinkId(at, storeId),
      active: true,
      createdAt: at,
      paidCount: 0,
      paidTotal: 0n,
    }
    responses.add(request, link)
    await Promise.all([insertLink(tx, link), responses.write()])
    return {
      result: { kind: 'created', link },
      entry: entryOf('link.create', { before: null, after: link }, store),
    }
  })
}

/** Null if there is no such link. */
export async function changeLink(
  database: Database,
  actor: Actor,
  { store, key, changes }: { store: Store; key: LinkKey; changes: LinkChanges },
): Promise<Link | 'too_many_links' | null> {
  const { storeId } = key
  type Result = Link | 'too_many_links' | null
  return inStoreTransaction<Result>(database, { storeId, actor }, async (tx) => {
    // The lock excludes payments, which change the totals.
    const [at, before] = await Promise.all([lock(tx, { stores: [storeId] }), findLink(tx, key)])
    if (before === null) return notDone(null)
    const after = { ...before, ...changes }
    const becomesActive =
      linkStateOf(before, at) !== 'active' && linkStateOf(after, at) === 'active'
    if (becomesActive && (await isAtLimit(tx, key))) return notDone('too_many_links')
    await updateLink(tx, after)
    return { result: after, entry: entryOf('link.change', { before, after }, store) }
  })
}

const isAtLimit = async (tx: Tx, key: LinkKey) =>
  (await countActiveLinks(tx, key)) >= MAX_ACTIVE_LINKS

function entryOf(
  action: string,
  { before, after }: { before: Link | null; after: Link },
  store: Store,
): Entry {
  return {
    action,
    subject: `link:${after.linkId}`,
    before: before && auditFields(before, store),
    after: auditFields(after, store),
  }
}

/** The link as the audit log records it: without its payload, products, totals and id, and what is derived from other fields. */
function auditFields(link: Link, store: Store) {
  const view = linkView(link, store, { publicUrl: '', at: link.createdAt })
  const { link_id, url, state, payload, products, paid_count, paid_total, paid_currency, ...rest } =
    view
  return rest
}
