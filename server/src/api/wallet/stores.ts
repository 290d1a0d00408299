import { FavouriteParams, PaidStores } from '@florin/contract/walletActivity.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { parseStoreId } from '../../core/ids.ts'
import { storeProfile } from '../../core/paymentView.ts'
import { changeFavourite, readPaidStores } from '../../ops/favourites.ts'
import type { Service } from '../../service.ts'
import type { WalletSession } from '../kit/authenticate.ts'
import { type Reply, refuse, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

export function storeRoutes(route: DeclareRoute<WalletSession>): void {
  route('GET /wallet/stores', {
    operationId: 'listPaidStores',
    summary: 'List stores',
    description: 'Lists the stores of the latest payments, most recently paid first.',
    data: PaidStores,
    handler: ({ service, caller, reply }) => sendStores(service, caller, reply),
  })

  route('PUT /wallet/favourites/:storeId', {
    operationId: 'addFavourite',
    summary: 'Add a favourite',
    description:
      'Marks a store of `GET /wallet/stores` as a favourite. A wallet can have at most 50.',
    params: FavouriteParams,
    hasOptionalBody: true,
    data: PaidStores,
    errors: [409],
    handler: (call) => setFavourite(call, true),
  })

  route('DELETE /wallet/favourites/:storeId', {
    operationId: 'removeFavourite',
    summary: 'Remove a favourite',
    params: FavouriteParams,
    hasOptionalBody: true,
    data: PaidStores,
    handler: (call) => setFavourite(call, false),
  })
}

type FavouriteCall = Call<WalletSession, { params: FavouriteParams; data: PaidStores }>

async function setFavourite(call: FavouriteCall, isFavourite: boolean): Promise<FastifyReply> {
  const { service, caller, params, reply } = call
  const storeId = parseStoreId(params.storeId)
  if (storeId === null) return refuse(reply, 'store_not_paid')
  const { walletId } = caller
  const result = await changeFavourite(service.database, { walletId, storeId, isFavourite })
  if (result === 'not_paid') return refuse(reply, 'store_not_paid')
  if (result === 'full') return refuse(reply, 'too_many_favourites')
  return sendStores(service, caller, reply)
}

async function sendStores(
  { database, config, readOfWallet }: Service,
  { walletId }: WalletSession,
  reply: Reply<PaidStores>,
): Promise<FastifyReply> {
  const stores = await readOfWallet(walletId, () => readPaidStores(database, walletId))
  return succeed(reply, 'Stores', {
    stores: stores.map((store) => ({
      store_id: store.storeId,
      store: storeProfile(store, config.publicUrl),
      last_paid_at: wireTime(store.lastPaidAt),
      favourite: store.isFavourite,
    })),
  })
}
