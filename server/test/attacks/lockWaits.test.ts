import { afterAll, beforeAll, expect, it } from 'vitest'
import { lock } from '../../src/sql/locks.ts'
import { changeLink, createLink, newLink } from '../setup/links.ts'
import { create } from '../setup/merchantCalls.ts'
import { createPerson } from '../setup/people.ts'
import {
  startTestService,
  type TestResponse,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../setup/testService.ts'

// An API key, a person or a wallet must not use up the connections that all stores share.

let t: TestService
let shop: TestStore
let other: TestStore
let payer: TestWallet
beforeAll(async () => {
  t = await startTestService({ FLORIN_POOL_SIZE: '6' })
  ;[shop, other] = [await t.createStore(), await t.createStore()]
  payer = await t.createWallet()
})
afterAll(() => t.close())

const WINDOW = { created_from: '2020-01-01 00:00:00', created_to: '2100-01-01 00:00:00' }

const FLOODS: Record<string, () => Promise<() => Promise<TestResponse>>> = {
  'new links': async () => () => createLink(t, shop.live),
  'changes of links': async () => {
    const id = await newLink(t, shop.live)
    return () => changeLink(t, shop.live, id, { title: 'Tea' })
  },
  'replays of invalid requests': async () => {
    const key = { 'idempotency-key': 'invalid' }
    return () => create(t, shop.live, { amount: 0 }, key)
  },
  'resends of a period': async () => () =>
    t.call('POST', '/merchant/events/redeliver', shop.live, WINDOW),
  'resends of an event': async () => {
    const { payment_id } = await t.createPayment(shop.live)
    await t.call('POST', `/merchant/payment/${payment_id}/expire`, shop.live)
    const path = `/merchant/payment/${payment_id}/webhooks/redeliver`
    return () => t.call('POST', path, shop.live)
  },
  'resends of the log': async () => {
    const { headers } = await createPerson(t, shop.store)
    return () => t.call('POST', '/store/live/webhooks/resend', headers, {})
  },
  receipts: async () => {
    const { headers } = await createPerson(t, shop.store, 'cashier')
    const { payment_id } = await t.createPayment(shop.live)
    const path = `/store/live/payments/${payment_id}/receipt`
    return () => t.call('POST', path, headers, { email: 'customer@example.com' })
  },
  'settings of the till': async () => {
    const { headers } = await createPerson(t, shop.store, 'manager')
    return () => t.call('PATCH', '/store/till', headers, { tip_percentages: [5] })
  },
  'settings of the store': async () => {
    const { headers } = await createPerson(t, shop.store)
    return () => t.call('PATCH', '/store/settings', headers, { phone: '+123' })
  },
  logos: async () => {
    const { headers } = await createPerson(t, shop.store)
    return () => t.call('DELETE', '/store/logo', headers)
  },
  'API keys': async () => {
    const { headers } = await createPerson(t, shop.store)
    return () => t.call('POST', '/store/live/keys', headers, { label: 'Shop' })
  },
  'webhook secrets': async () => {
    const { headers } = await createPerson(t, shop.store)
    return () => t.call('POST', '/store/live/webhook-secret/rotate', headers)
  },
  people: async () => {
    const { headers } = await createPerson(t, shop.store)
    const person = { email: 'ada@example.com', name: 'Ada', role: 'viewer' }
    return () => t.call('POST', '/store/people', headers, person)
  },
  'changes of people': async () => {
    const { headers } = await createPerson(t, shop.store)
    const { personId } = await createPerson(t, shop.store, 'viewer')
    return () => t.call('PATCH', `/store/people/${personId}`, headers, { name: 'Ada' })
  },
  'erased clients': async () => {
    const { headers } = await createPerson(t, shop.store)
    const client = { email: 'ada@example.com' }
    return () => t.call('POST', '/store/live/clients/erase', headers, client)
  },
  'settings of a wallet': async () => () =>
    t.call('PATCH', '/wallet/me', payer.headers, { mail_receipts: true }),
  'ended sessions of a wallet': async () => {
    const path = `/wallet/sessions/ses_${'0'.repeat(32)}`
    return () => t.call('DELETE', path, payer.headers)
  },
  favourites: async () => {
    const path = `/wallet/favourites/${shop.store.storeId}`
    return () => t.call('DELETE', path, payer.headers)
  },
}

it.each(Object.entries(FLOODS))(
  'requests that wait for a lock leave connections for other stores: %s',
  async (_name, prepare) => {
    const send = await prepare()
    // Looks up the keys, so that they are cached.
    expect((await create(t, other.live, {})).status).toBe(200)
    await send()
    let isHeld = (): void => {}
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      isHeld = resolve
    })
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const holder = t.database.transaction(async (tx) => {
      await lock(tx, { stores: [shop.store.storeId], wallets: [payer.wallet.walletId] })
      isHeld()
      await released
    })
    await held
    let settled = 0
    const flood = Array.from({ length: 9 }, async () => {
      await send()
      settled += 1
    })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const created = await create(t, other.live, {})
    // No request of the flood may have ended before, or the other store could have used its connection.
    const settledBefore = settled
    release()
    await Promise.all([holder, ...flood])
    expect([created.status, settledBefore]).toEqual([200, 0])
  },
)
