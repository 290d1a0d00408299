import type { StoreId } from '../core/ids.ts'
import type { Queryable, Tx } from '../database/database.ts'

type Logo = { readonly hash: string; readonly png: Buffer }

export async function findLogo(on: Queryable, storeId: StoreId): Promise<Logo | null> {
  const rows = await on.query<Logo>('select hash, png from logo where store_id = $1', [storeId])
  return rows[0] ?? null
}

/** Replaces the logo. Null removes it. */
export async function replaceLogo(tx: Tx, storeId: StoreId, logo: Logo | null, createdAt: Date) {
  await tx.execute('delete from logo where store_id = $1', [storeId])
  if (logo === null) return
  await tx.execute('insert into logo (store_id, hash, png, created_at) values ($1, $2, $3, $4)', [
    storeId,
    logo.hash,
    logo.png,
    createdAt,
  ])
}
