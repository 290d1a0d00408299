import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoreId } from '../../../src/core/ids.ts'
import { findFavourites, setFavourites } from '../../../src/sql/walletStores.ts'
import { refusal, TIME } from '../../setup/expected.ts'
import { createPaidPayment, statusAndBody } from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestWallet } from '../../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const list = ({ headers }: TestWallet) => t.call('GET', '/wallet/stores', headers)
const setFavourite = (
  { headers }: TestWallet,
  id: number | string,
  method: 'PUT' | 'DELETE' = 'PUT',
) => t.call(method, `/wallet/favourites/${id}`, headers)
const favouritesOf = ({ body }: { body: { data: { stores: { favourite: boolean }[] } } }) =>
  body.data.stores.map(({ favourite }) => favourite)

const writeFavourites = ({ wallet }: TestWallet, ids: readonly number[]) =>
  t.database.transaction((tx) => setFavourites(tx, wallet.walletId, ids as StoreId[]))

describe('stores of a wallet', () => {
  it('are those it has paid, most recently paid first, with its favourites', async () => {
    const first = await t.createStore({ name: 'First', email: 'a@first.example' })
    const second = await t.createStore({ name: 'Second', phone: '+15550101' })
    const unpaidStore = await t.createStore({ name: 'Never paid' })
    const payer = await t.createWallet({ balance: '100.00' })
    expect((await list(payer)).body.data).toEqual({ stores: [] })
    for (const { live } of [first, second, first]) await createPaidPayment(t, live, payer)
    const { publicUrl } = t.service.config
    const entry = (id: number, store: object) => ({
      store_id: id,
      store: {
        domain: '',
        email: '',
        phone: '',
        logo: `${publicUrl}/stores/${id}/logo.svg`,
        ...store,
      },
      last_paid_at: TIME,
      favourite: false,
    })
    const [firstId, secondId] = [first.store.storeId, second.store.storeId]
    const stores = [
      entry(firstId, { name: 'First', email: 'a@first.example' }),
      entry(secondId, { name: 'Second', phone: '+15550101' }),
    ]
    expect(statusAndBody(await list(payer))).toEqual({
      status: 200,
      body: { status: 200, message: 'Stores', data: { stores } },
    })
    expect(favouritesOf(await setFavourite(payer, secondId))).toEqual([false, true])
    expect(favouritesOf(await setFavourite(payer, secondId))).toEqual([false, true])
    expect(favouritesOf(await list(payer))).toEqual([false, true])
    expect(favouritesOf(await setFavourite(payer, secondId, 'DELETE'))).toEqual([false, false])

    const other = await t.createWallet()
    for (const id of [firstId, unpaidStore.store.storeId, 0, 'x', '99999999']) {
      expect(statusAndBody(await setFavourite(other, id))).toEqual({
        status: 404,
        body: refusal(404, 'This wallet has not paid this store'),
      })
    }
  })

  it('include at most 50 favourites', async () => {
    const payer = await t.createWallet({ balance: '100.00' })
    const ids: number[] = []
    for (let n = 0; n < 51; n++) {
      const shop = await t.createStore()
      await createPaidPayment(t, shop.live, payer, { amount: 1 })
      ids.push(shop.store.storeId)
    }
    const [first = 0, ...others] = ids
    await writeFavourites(payer, others)
    expect(statusAndBody(await setFavourite(payer, first))).toEqual({
      status: 409,
      body: refusal(409, 'A wallet can have 50 favourites. Remove one first.'),
    })
    await setFavourite(payer, others[0]!, 'DELETE')
    const favourites = favouritesOf(await setFavourite(payer, first))
    expect(favourites.filter(Boolean)).toHaveLength(50)
  })

  it('include new favourites instead of the oldest ones that are not listed', async () => {
    const shop = await t.createStore()
    const payer = await t.createWallet({ balance: '100.00' })
    await createPaidPayment(t, shop.live, payer)
    const hidden = Array.from({ length: 50 }, (_, n) => 1_000 + n)
    await writeFavourites(payer, hidden)
    expect(favouritesOf(await setFavourite(payer, shop.store.storeId))).toEqual([true])
    const { walletId } = payer.wallet
    expect(await findFavourites(t.database, walletId)).toEqual([
      ...hidden.slice(1),
      shop.store.storeId,
    ])
  })
})
