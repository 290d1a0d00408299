import type { Queryable, Tx } from '../database/database.ts'
import { columns, unsized } from './columns.ts'
import { shardFilter } from './shards.ts'

/** The owner of a key: a store in one mode, or a wallet. */
export type Owner =
  | { readonly storeId: number; readonly mode: string }
  | { readonly walletId: number }

export type StoredResponse = {
  readonly owner: Owner
  readonly key: string
  readonly fingerprint: Buffer
  readonly response: string
  readonly createdAt: Date
}

type OwnedKey = { readonly owner: Owner; readonly key: string }

type Side<O extends Owner> = {
  readonly table: 'idempotency' | 'wallet_idempotency'
  readonly columns: string
  readonly ownerColumn: 'store_id' | 'wallet_id'
  readonly ownerArrays: string
  readonly join: string
  readonly arrays: (owners: readonly O[]) => unknown[][]
}

const STORE_SIDE: Side<{ storeId: number; mode: string }> = {
  table: 'idempotency',
  columns: 'store_id, mode',
  ownerColumn: 'store_id',
  ownerArrays: '$2::int[], $3::text[]',
  join: 'i.store_id = v.store_id and i.mode = v.mode and i.key = v.key',
  arrays: (owners) => columns(owners, 'storeId', 'mode'),
}
const WALLET_SIDE: Side<{ walletId: number }> = {
  table: 'wallet_idempotency',
  columns: 'wallet_id',
  ownerColumn: 'wallet_id',
  ownerArrays: '$2::int[]',
  join: 'i.wallet_id = v.wallet_id and i.key = v.key',
  arrays: (owners) => columns(owners, 'walletId'),
}

type KeyRow = {
  key: string
  store_id: number
  mode: string
  wallet_id: number
  fingerprint: Buffer
  answer: string
  created_at: Date
}

function keysOf<O extends Owner>(side: Side<O>, toOwner: (row: KeyRow) => O) {
  const arrays = (items: readonly OwnedKey[]) => [
    items.map((item) => item.key),
    ...side.arrays(items.map((item) => item.owner as O)),
  ]
  const keyRows = (on: Queryable) =>
    `unnest(${unsized(on, '$1::text[]')}, ${side.ownerArrays}) as v (key, ${side.columns})`
  const ownerFilter = (on: Queryable) => shardFilter(on, `i.${side.ownerColumn}`, '$2')
  const next = side.ownerArrays.split(',').length + 2
  return {
    async find(on: Queryable, keys: readonly OwnedKey[]): Promise<StoredResponse[]> {
      const rows = await on.query<KeyRow>(
        `select i.*
         from ${keyRows(on)}
         join ${side.table} i on ${side.join} ${ownerFilter(on)}`,
        arrays(keys),
      )
      return rows.map((row) => ({
        owner: toOwner(row),
        key: row.key,
        fingerprint: row.fingerprint,
        response: row.answer,
        createdAt: row.created_at,
      }))
    },
    async remove(tx: Tx, keys: readonly OwnedKey[]): Promise<void> {
      await tx.execute(
        `delete from ${side.table} i
         using ${keyRows(tx)}
         where ${side.join} ${ownerFilter(tx)}`,
        arrays(keys),
      )
    },
    async insert(tx: Tx, responses: readonly StoredResponse[]): Promise<void> {
      await tx.execute(
        `insert into ${side.table} (key, ${side.columns}, fingerprint, answer, created_at)
         select *
         from unnest($1::text[], ${side.ownerArrays}, $${next}::bytea[], $${next + 1}::text[], $${next + 2}::timestamptz[])`,
        [...arrays(responses), ...columns(responses, 'fingerprint', 'response', 'createdAt')],
      )
    },
    /** Deletes at most `limit` rows, so that locks are short. */
    async sweep(tx: Tx, olderThan: Date, limit: number): Promise<number> {
      return tx.execute(
        `delete from ${side.table}
         where (key, ${side.columns}) in (
           select key, ${side.columns}
           from ${side.table}
           where created_at <= $1
           limit $2
         )`,
        [olderThan, limit],
      )
    },
  }
}

export type KeyStore = ReturnType<typeof keysOf>

export const storeKeys: KeyStore = keysOf(STORE_SIDE, (row) => ({
  storeId: row.store_id,
  mode: row.mode,
}))
export const walletKeys: KeyStore = keysOf(WALLET_SIDE, (row) => ({ walletId: row.wallet_id }))
