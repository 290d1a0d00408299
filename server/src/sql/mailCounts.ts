import type { StoreId } from '../core/ids.ts'
import type { Template } from '../core/mail.ts'
import type { Queryable } from '../database/database.ts'
import { columns, unsized } from './columns.ts'

/** Counts the emails of one template to these recipients since a time. */
export async function countMails(
  on: Queryable,
  {
    recipients,
    template,
    since,
  }: { recipients: readonly string[]; template: Template; since: Date },
): Promise<number> {
  const rows = await on.query<{ count: number }>(
    `select count(*)::int as count
     from mail
     where recipient = any($1) and template = $2 and created_at > $3`,
    [recipients, template, since],
  )
  return rows[0]!.count
}

/** Counts the emails to each of these recipients since a time, by template. */
export async function countMailsByTemplate(
  on: Queryable,
  recipients: readonly string[],
  since: Date,
): Promise<{ recipient: string; template: Template; count: number }[]> {
  return on.query(
    `select recipient, template, count(*)::int as count
     from mail
     where recipient = any($1) and created_at > $2
     group by recipient, template`,
    [recipients, since],
  )
}

/**
 * Counts the emails to each of these clients of stores since a time, by template. Pass each pair of store and recipient only
 * once: its emails would be counted again for each repetition.
 */
export async function countMailsToClients(
  on: Queryable,
  clients: readonly { readonly storeId: StoreId; readonly recipient: string }[],
  since: Date,
): Promise<{ storeId: StoreId; recipient: string; template: Template; count: number }[]> {
  return on.query(
    `select m.client_store_id as "storeId", m.recipient, m.template, count(*)::int as count
     from unnest($1::int[], ${unsized(on, '$2::text[]')}) as v (store_id, recipient)
     join mail m on m.client_store_id = v.store_id and m.recipient = v.recipient
     where m.created_at > $3
     group by m.client_store_id, m.recipient, m.template`,
    [...columns(clients, 'storeId', 'recipient'), since],
  )
}

/** Counts the emails that people of a store sent to customers since a time. */
export async function countMailsOfStore(
  on: Queryable,
  storeId: StoreId,
  since: Date,
): Promise<number> {
  const rows = await on.query<{ count: number }>(
    'select count(*)::int as count from mail where sender_store_id = $1 and created_at > $2',
    [storeId, since],
  )
  return rows[0]!.count
}
