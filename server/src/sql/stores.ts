import type { StoreId } from '../core/ids.ts'
import type { Store } from '../core/store.ts'
import type { Queryable, Tx } from '../database/database.ts'

const COLUMNS = `
  store_id as "storeId", name, currency, time_zone as "timeZone", logo, domain, email, phone,
  fee_bps as "feeBps", fee_fixed as "feeFixedMinor", refund_fee as "refundFeeMinor",
  min_amount as "minAmountMinor", max_amount as "maxAmountMinor",
  daily_limit as "dailyLimitMinor", monthly_limit as "monthlyLimitMinor",
  expires_after_seconds as "expiresAfterSeconds", unique_references as "uniqueReferences",
  refund_cap_manager as "refundCapManagerMinor", refund_cap_cashier as "refundCapCashierMinor",
  embed_origins as "embedOrigins", locale, mail_receipts as "mailReceipts",
  mail_daily_close as "mailDailyClose", suspended, sandbox_wallet_id as "sandboxWalletId",
  created_at as "createdAt", second_factor_since as "secondFactorSince"`

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

/** Ordered by number. `search` matches the number or part of the name. */
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

/** The stores whose owners get the daily close by email. */
export async function listStoresWithDailyClose(on: Queryable): Promise<Store[]> {
  return on.query<Store>(`select ${COLUMNS} from store where mail_daily_close order by store_id`)
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
    JSON.stringify(store.secondFactorSince),
    store.locale,
    store.mailReceipts,
    store.mailDailyClose,
  ]
}

export async function insertStore(tx: Tx, store: Store): Promise<void> {
  await tx.execute(
    `insert into store (
       store_id, name, time_zone, logo, domain, email, phone, fee_bps, fee_fixed, refund_fee,
       min_amount, max_amount, daily_limit, monthly_limit, expires_after_seconds,
       unique_references, suspended, refund_cap_manager, refund_cap_cashier, embed_origins,
       second_factor_since, locale, mail_receipts, mail_daily_close, currency, sandbox_wallet_id,
       created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,
       $21, $22, $23, $24, $25, $26, $27)`,
    [...settingValues(store), store.currency, store.sandboxWalletId, store.createdAt],
  )
}

export async function updateStore(tx: Tx, store: Store): Promise<void> {
  await tx.execute(
    `update store
     set name = $2, time_zone = $3, logo = $4, domain = $5, email = $6, phone = $7, fee_bps = $8,
       fee_fixed = $9, refund_fee = $10, min_amount = $11, max_amount = $12, daily_limit = $13,
       monthly_limit = $14, expires_after_seconds = $15, unique_references = $16, suspended = $17,
       refund_cap_manager = $18, refund_cap_cashier = $19, embed_origins = $20,
       second_factor_since = $21, locale = $22, mail_receipts = $23, mail_daily_close = $24
     where store_id = $1`,
    settingValues(store),
  )
}
