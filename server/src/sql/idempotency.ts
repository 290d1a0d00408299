import type { Queryable, Tx } from '../database/database.ts'
import { columns, unsized } from './columns.ts'
import { shardFilter } from './shards.ts'

/** The owner of a key: a store in one mode, or a wallet. */
export type KeyOwner =
  | { readonly storeId: number; readonly mode: string }
  | { readonly walletId: number }

export type StoredResponse = {
  readonly owner: KeyOwner
  readonly key: string
  readonly fingerprint: Buffer
  readonly response: string
  readonly createdAt: Date
}

type OwnedKey = { readonly owner: KeyOwner; readonly key: string }

type KeyTable<O extends KeyOwner> = {
  readonly table: 'idempotency' | 'wallet_idempotency'
  readonly columns: string
  readonly ownerColumn: 'store_id' | 'wallet_id'
  readonly ownerArrays: string
  readonly join: string
  readonly arrays: (owners: readonly O[]) => unknown[][]
}

const STORE_SIDE: KeyTable<{ storeId: number; mode: string }> = {
  table: 'idempotency',
  columns: 'store_id, mode',
  ownerColumn: 'store_id',
  ownerArrays: '$2::int[], $3::text[]',
  join: 'i.store_id = v.store_id and i.mode = v.mode and i.key = v.key',
  arrays: (owners) => columns(owners, 'storeId', 'mode'),
}
const WALLET_SIDE: KeyTable<{ walletId: number }> = {
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

function createKeyStore<O extends KeyOwner>(side: KeyTable<O>, toOwner: (row: KeyRow) => O) {
  const arrays = (items: readonly OwnedKey[]) => [
    items.map((item) => item.key),
    ...side.arrays(items.map((item) => item.owner as O)),
  ]
  const keyRows = (on: Queryable) =>
    `unnest(${unsized(on, '$1::text[]')}, ${side.ownerArrays}) as v (key, ${side.columns})`
  const ownerFilter = (on: Queryable) => shardFilter(on, `i.${side.ownerColumn}`, '$2')
  const nextParameter = side.ownerArrays.split(',').length + 2
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
         from unnest($1::text[], ${side.ownerArrays}, $${nextParameter}::bytea[], $${nextParameter + 1}::text[], $${nextParameter + 2}::timestamptz[])`,
        [...arrays(responses), ...columns(responses, 'fingerprint', 'response', 'createdAt')],
      )
    },
  }
}

export type KeyStore = ReturnType<typeof createKeyStore>

export const storeKeys: KeyStore = createKeyStore(STORE_SIDE, (row) => ({
  storeId: row.store_id,
  mode: row.mode,
}))
export const walletKeys: KeyStore = createKeyStore(WALLET_SIDE, (row) => ({
  walletId: row.wallet_id,
}))
