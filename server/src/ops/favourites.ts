import type { StoreId, WalletNumber } from '../core/ids.ts'
import { MAX_FAVOURITES } from '../core/wallet.ts'
import type { Database } from '../database/database.ts'
import { lock } from '../sql/locks.ts'
import {
  findFavourites,
  listPaidStores,
  type PaidStore,
  setFavourites,
} from '../sql/walletStores.ts'
import { inLockQueue } from './lockQueue.ts'

/** The stores of a wallet's latest payments, and which of them are favourites. */
export async function readPaidStores(
  database: Database,
  walletId: WalletNumber,
): Promise<(PaidStore & { readonly isFavourite: boolean })[]> {
  const [stores, favourites] = await Promise.all([
    listPaidStores(database, walletId),
    findFavourites(database, walletId),
  ])
  return stores.map((store) => ({ ...store, isFavourite: favourites.includes(store.storeId) }))
}

type Favourite = {
  readonly walletId: WalletNumber
  readonly storeId: StoreId
  readonly isFavourite: boolean
}

/** Adds or removes a favourite. Not in the audit log: operators need not know which shops a payer likes. */
export async function changeFavourite(
  database: Database,
  { walletId, storeId, isFavourite }: Favourite,
): Promise<'changed' | 'not_paid' | 'full'> {
  return inLockQueue(`wallet ${walletId}`, () =>
    database.transaction(async (tx) => {
      await lock(tx, { wallets: [walletId] })
      const others = (await findFavourites(tx, walletId)).filter((id) => id !== storeId)
      if (isFavourite) {
        const paid = await listPaidStores(tx, walletId)
        if (!paid.some((store) => store.storeId === storeId)) return 'not_paid'
        if (others.length >= MAX_FAVOURITES) return 'full'
      }
      await setFavourites(tx, walletId, isFavourite ? [...others, storeId] : others)
      return 'changed'
    }),
  )
}
