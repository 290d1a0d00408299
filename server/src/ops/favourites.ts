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

/**
 * Adds or removes a favourite. Favourites that are not among the stores of the latest payments can't be seen or removed on the
 * wallet page, so they make room for new ones, oldest first. Not in the audit log: operators need not know which shops a payer
 * likes.
 */
export async function changeFavourite(
  database: Database,
  { walletId, storeId, isFavourite }: Favourite,
): Promise<'changed' | 'not_paid' | 'full'> {
  return inLockQueue(`wallet ${walletId}`, () =>
    database.transaction(async (tx) => {
      await lock(tx, { wallets: [walletId] })
      const others = (await findFavourites(tx, walletId)).filter((id) => id !== storeId)
      if (!isFavourite) {
        await setFavourites(tx, walletId, others)
        return 'changed'
      }
      const listed = new Set((await listPaidStores(tx, walletId)).map((store) => store.storeId))
      if (!listed.has(storeId)) return 'not_paid'
      const removable = others.filter((id) => listed.has(id))
      if (removable.length >= MAX_FAVOURITES) return 'full'
      const hidden = others.filter((id) => !listed.has(id))
      await setFavourites(tx, walletId, [...hidden, ...removable, storeId].slice(-MAX_FAVOURITES))
      return 'changed'
    }),
  )
}
