import type { Mode, StoreId } from '../core/ids.ts'
import type { Store } from '../core/store.ts'
import type { Queryable, Tx } from '../database/database.ts'

const COLUMNS = `
  store_id as "storeId", name, currency, time_zone as "timeZone", logo, domain, email, phone,
  fee_bps as "feeBps", fee_fixed as "feeFixedMinor", refund_fee as "refundFeeMinor",
  min_amount as "minAmountMinor", max_amount as "maxAmountMinor",
  daily_limit as "dailyLimitMinor", monthly_limit as "monthlyLimitMinor",
  expires_after_seconds as "expiresAfterSeconds", unique_references as "uniqueReferences",
  refund_cap_manager as "refundCapManagerMinor", refund_cap_cashier as "refundCapCashierMinor",
  embed_origins as "embedOrigins", suspended, sandbox_wallet_id as "sandboxWalletId",
  created_at as "createdAt"`

export async function nextStoreId(tx: Tx): Promise<StoreId> {
  const rows = await tx.query<{ id: StoreId }>(`select nextval('store_number')::int as id`)
  return rows[0]!.id
}

export async function findStores(on: Queryable, stores: readonly StoreId[]): Promise<Store[]> {
  return on.query<Store>(`select ${COLUMNS} from store where store_id = any($1)`, [stores])
}

export async function findStore(on: Queryable, storeId: StoreId): Promise<Store | null> {
  const rows = await findStores(on, [storeId])
  return rows[0] ?? null
}

/** In order of their numbers; only those of that number or with those letters in their name. */
export async function listStores(
  on: Queryable,
  { after, limit, search = null }: { after: number; limit: number; search?: string | null },
): Promise<Store[]> {
  return on.query<Store>(
    `select ${COLUMNS}
     from store
     where store_id > $1
       and ($3::text is null or store_id::text = $3 or position(lower($3) in lower(name)) > 0)
     order by store_id
     limit $2`,
    [after, limit, search],
  )
}

function settingValues(store: Store): unknown[] {
  return [
    store.storeId,
    store.name,
    store.timeZone,
    store.logo,
    store.domain,
    store.email,
    store.phone,
    store.feeBps,
    store.feeFixedMinor,
    store.refundFeeMinor,
    store.minAmountMinor,
    store.maxAmountMinor,
    store.dailyLimitMinor,
    store.monthlyLimitMinor,
    store.expiresAfterSeconds,
    store.uniqueReferences,
    store.suspended,
    store.refundCapManagerMinor,
    store.refundCapCashierMinor,
    store.embedOrigins,
  ]
}

export async function insertStore(tx: Tx, store: Store): Promise<void> {
  await tx.execute(
    `insert into store (
       store_id, name, time_zone, logo, domain, email, phone, fee_bps, fee_fixed, refund_fee,
       min_amount, max_amount, daily_limit, monthly_limit, expires_after_seconds,
       unique_references, suspended, refund_cap_manager, refund_cap_cashier, embed_origins, currency,
       sandbox_wallet_id, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
       $21, $22, $23)`,
    [...settingValues(store), store.currency, store.sandboxWalletId, store.createdAt],
  )
}

export async function updateStore(tx: Tx, store: Store): Promise<void> {
  await tx.execute(
    `update store
     set name = $2, time_zone = $3, logo = $4, domain = $5, email = $6, phone = $7, fee_bps = $8,
       fee_fixed = $9, refund_fee = $10, min_amount = $11, max_amount = $12, daily_limit = $13,
       monthly_limit = $14, expires_after_seconds = $15, unique_references = $16, suspended = $17,
       refund_cap_manager = $18, refund_cap_cashier = $19, embed_origins = $20
     where store_id = $1`,
    settingValues(store),
  )
}

export async function insertWebhookSecret(
  tx: Tx,
  secret: { storeId: StoreId; mode: Mode; encrypted: Buffer; createdAt: Date },
): Promise<void> {
  await tx.execute(
    `insert into webhook_secret (store_id, mode, encrypted, created_at)
     values ($1, $2, $3, $4)`,
    [secret.storeId, secret.mode, secret.encrypted, secret.createdAt],
  )
}

/** The secrets that are good now: the one in force, and for a day the one that it replaced. */
export async function findSecrets(on: Queryable, storeId: StoreId, mode: Mode): Promise<Buffer[]> {
  const rows = await on.query<{ encrypted: Buffer; previous: Buffer | null }>(
    `select encrypted, case when previous_until > now() then previous_encrypted end as previous
     from webhook_secret
     where store_id = $1 and mode = $2`,
    [storeId, mode],
  )
  return rows.flatMap(({ encrypted, previous }) => (previous ? [encrypted, previous] : [encrypted]))
}

/** Until when the secret before this one signs as well; null where it does not. */
export async function findPreviousUntil(
  on: Queryable,
  storeId: StoreId,
  mode: Mode,
): Promise<Date | null> {
  const rows = await on.query<{ until: Date | null }>(
    `select case when previous_until > now() then previous_until end as until
     from webhook_secret
     where store_id = $1 and mode = $2`,
    [storeId, mode],
  )
  return rows[0]!.until
}

export async function replaceWebhookSecret(
  tx: Tx,
  change: { storeId: StoreId; mode: Mode; encrypted: Buffer; previousUntil: Date },
): Promise<void> {
  await tx.execute(
    `update webhook_secret
     set previous_encrypted = encrypted, previous_until = $4, encrypted = $3
     where store_id = $1 and mode = $2`,
    [change.storeId, change.mode, change.encrypted, change.previousUntil],
  )
}

/** Writes the hash down unless one is there, and answers with the one that is. */
export async function keepSecretKeyHash(tx: Tx, keyHash: Buffer): Promise<Buffer> {
  await tx.execute(
    'insert into secret_key_check (key_hash) values ($1) on conflict (only_row) do nothing',
    [keyHash],
  )
  return (await findSecretKeyHash(tx))!
}

/** Null until a process has written down which key it uses. */
export async function findSecretKeyHash(on: Queryable): Promise<Buffer | null> {
  const [row] = await on.query<{ keyHash: Buffer }>(
    'select key_hash as "keyHash" from secret_key_check',
  )
  return row?.keyHash ?? null
}

/** Needs the row that `keepSecretKeyHash` writes. */
export async function keepPepperHash(tx: Tx, pepperHash: Buffer): Promise<Buffer> {
  await tx.execute('update secret_key_check set pepper_hash = $1 where pepper_hash is null', [
    pepperHash,
  ])
  return (await findPepperHash(tx))!
}

/** Null until a process has written down which pepper it uses. */
export async function findPepperHash(on: Queryable): Promise<Buffer | null> {
  const [row] = await on.query<{ pepperHash: Buffer | null }>(
    'select pepper_hash as "pepperHash" from secret_key_check',
  )
  return row?.pepperHash ?? null
}
