import type { StoreAndMode } from '../core/ids.ts'
import type { Link, LinkKey } from '../core/link.ts'
import type { Queryable, Tx } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'
import { columns } from './columns.ts'
import { shardFilter } from './shards.ts'

const COLUMNS = `
  l.store_id as "storeId", l.mode, l.link_id as "linkId", l.title, l.description, l.amount, l.currency,
  coalesce(l.products, '[]'::json) as products, l.payload::text as payload, l.reference_id as "referenceId",
  l.reference_note as "referenceNote", l.webhook_url as "webhookUrl", l.return_url as "returnUrl", l.locale,
  l.max_payments as "maxPayments", l.expires_at as "expiresAt", l.active, l.created_at as "createdAt",
  l.paid_count as "paidCount", l.paid_total as "paidTotal"`

/** The start of an `unnest` of keys, whose arrays `keyArrays` returns. */
const KEYS = 'unnest($1::int[], $2::text[], $3::text[]'
const BY_KEY = 'l.store_id = v.store_id and l.mode = v.mode and l.link_id = v.link_id'
const keyArrays = (keys: readonly LinkKey[]) => columns(keys, 'storeId', 'mode', 'linkId')

export async function findLinks(on: Queryable, keys: readonly LinkKey[]): Promise<Link[]> {
  return on.query<Link>(
    `select ${COLUMNS}
     from ${KEYS}) as v (store_id, mode, link_id)
     join link l on ${BY_KEY} ${shardFilter(on, 'l.store_id')}`,
    keyArrays(keys),
  )
}

export async function findLink(on: Queryable, key: LinkKey): Promise<Link | null> {
  return (await findLinks(on, [key]))[0] ?? null
}

/** Newest first. */
export async function listLinks(
  on: Queryable,
  {
    storeId,
    mode,
    active,
    before,
    limit,
  }: StoreAndMode & { active: boolean | null; before: string | null; limit: number },
): Promise<Link[]> {
  // As text, because a parameter would hide from the planner that the index of active links suffices.
  const state = active === null ? '' : active ? 'and l.active' : 'and not l.active'
  return on.query<Link>(
    `select ${COLUMNS}
     from link l
     where l.store_id = $1 and l.mode = $2 ${state} and ($3::text is null or l.link_id < $3)
     order by l.link_id desc
     limit $4`,
    [storeId, mode, before, limit],
  )
}

/** Counts the links that can be paid: those that are not paused, used up or expired. */
export async function countActiveLinks(on: Queryable, { storeId, mode }: StoreAndMode) {
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     from link l
     where l.store_id = $1 and l.mode = $2 and l.active and (l.expires_at is null or l.expires_at > now())
       and (l.max_payments is null or l.paid_count < l.max_payments)`,
    [storeId, mode],
  )
  return rows[0]!.count
}

export async function insertLink(tx: Tx, link: Link): Promise<void> {
  await tx.execute(
    `insert into link (
       store_id, mode, link_id, title, description, amount, currency, products, payload, reference_id,
       reference_note, webhook_url, return_url, locale, max_payments, expires_at, active, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      link.storeId,
      link.mode,
      link.linkId,
      link.title,
      link.description,
      link.amount,
      link.currency,
      link.products.length === 0 ? null : JSON.stringify(link.products),
      link.payload,
      link.referenceId,
      link.referenceNote,
      link.webhookUrl,
      link.returnUrl,
      link.locale,
      link.maxPayments,
      link.expiresAt,
      link.active,
      link.createdAt,
    ],
  )
}

/** Writes what a store can change. */
export async function updateLink(tx: Tx, link: Link): Promise<void> {
  const updated = await tx.execute(
    `update link
     set title = $4, description = $5, payload = $6, reference_id = $7, reference_note = $8, webhook_url = $9,
       return_url = $10, locale = $11, max_payments = $12, expires_at = $13, active = $14
     where store_id = $1 and mode = $2 and link_id = $3`,
    [
      link.storeId,
      link.mode,
      link.linkId,
      link.title,
      link.description,
      link.payload,
      link.referenceId,
      link.referenceNote,
      link.webhookUrl,
      link.returnUrl,
      link.locale,
      link.maxPayments,
      link.expiresAt,
      link.active,
    ],
  )
  mustMatch(updated, 1, 'update link')
}

/** Adds new payments to the totals. Throws if a link would exceed `max_payments`. */
export async function addLinkPayments(
  tx: Tx,
  changes: readonly (LinkKey & { readonly count: number; readonly total: bigint })[],
): Promise<void> {
  if (changes.length === 0) return
  const changed = await tx.execute(
    `update link l
     set paid_count = l.paid_count + v.count, paid_total = l.paid_total + v.total
     from ${KEYS}, $4::int[], $5::bigint[]) as v (store_id, mode, link_id, count, total)
     where ${BY_KEY} and (l.max_payments is null or l.paid_count + v.count <= l.max_payments)
       ${shardFilter(tx, 'l.store_id')}`,
    [...keyArrays(changes), ...columns(changes, 'count', 'total')],
  )
  mustMatch(changed, changes.length, 'add payments of links')
}
