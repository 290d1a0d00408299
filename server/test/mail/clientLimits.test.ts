import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { StoreId } from '../../src/core/ids.ts'
import { countMailsToClients } from '../../src/sql/mailCounts.ts'
import { explainQueries } from '../setup/explainQueries.ts'
import { WITH_MAIL } from '../setup/mails.ts'
import { createPerson } from '../setup/people.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

// Without limits, a store could flood a stranger with emails: it names the stranger as the client of its payments, and pays them
// from its own wallet.

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
beforeEach(() => t.database.transaction((tx) => tx.execute('delete from mail')))
afterAll(() => t.close())

const EMAIL = 'Victim@Elsewhere.example'
const client = { name: 'Call this number', email: EMAIL, phone: '5551234' }
type Shop = Awaited<ReturnType<typeof t.createStore>>
type Payer = Awaited<ReturnType<typeof t.createWallet>>
const createShop = () => t.createStore({ mailReceipts: true })
const createPayer = () => t.createWallet({ balance: '1000' })
const countMails = async (template: string) => {
  const rows = await t.database.query<{ count: number }>(
    'select count(*)::int as count from mail where recipient = $1 and template = $2',
    [EMAIL.toLowerCase(), template],
  )
  return rows[0]!.count
}
const countReceipts = () => countMails('receipt')
const countRefunds = () => countMails('refund')

/** Pays several payments at the same time, so that they share batches. */
async function pay(shop: Shop, payer: Payer, count: number) {
  const payments = await Promise.all(
    Array.from({ length: count }, () => t.createPayment(shop.live, { amount: 1, client })),
  )
  const paid = await Promise.all(
    payments.map(({ qr_code }) =>
      t.call('POST', `/wallet/payment/${qr_code}/pay`, payer.headers, {}),
    ),
  )
  expect(paid.filter(({ status }) => status === 200)).toHaveLength(count)
  return payments
}

/** Adds emails that were already sent to the client. */
const addSent = (
  { store }: Shop,
  {
    count,
    template = 'receipt',
    paymentId = null,
  }: {
    count: number
    template?: string
    paymentId?: string | null
  },
) =>
  t.database.transaction((tx) =>
    tx.execute(
      `insert into mail (
         mail_id, recipient, template, locale, payment_id, client_store_id, created_at, due_at, sent_at)
       select $1 || n, $2, $3, 'en', $4, $5, now(), now(), now()
       from generate_series(1, $6::int) n`,
      [
        `mail_${store.storeId}_${template}`,
        EMAIL.toLowerCase(),
        template,
        paymentId,
        store.storeId,
        count,
      ],
    ),
  )

const setEmail = ({ wallet }: Payer) =>
  t.database.transaction((tx) =>
    tx.execute('update wallet set email = $2, mail_receipts = true where wallet_id = $1', [
      wallet.walletId,
      EMAIL,
    ]),
  )

it('a client gets at most 100 receipts and 100 refund emails from a store within 24 hours', async () => {
  const [shop, payer] = [await createShop(), await createPayer()]
  await addSent(shop, { count: 97 })
  await addSent(shop, { count: 97, template: 'refund' })
  const payments = await pay(shop, payer, 5)
  expect(await countReceipts()).toBe(100)
  await pay(shop, payer, 1)
  expect(await countReceipts()).toBe(100)
  const refunded = await Promise.all(
    payments.map(({ payment_id }) =>
      t.call('POST', `/merchant/payment/${payment_id}/refund`, shop.live),
    ),
  )
  expect(refunded.filter(({ status }) => status === 200)).toHaveLength(5)
  expect(await countRefunds()).toBe(100)

  const moveBack = (hours: number) =>
    t.database.transaction((tx) =>
      tx.execute(`update mail set created_at = created_at - $1 * interval '1 hour'`, [hours]),
    )
  await moveBack(23)
  await pay(shop, payer, 1)
  expect(await countReceipts()).toBe(100)
  await moveBack(1)
  await pay(shop, payer, 1)
  expect(await countReceipts()).toBe(101)
})

it('a client gets receipts of other stores too', async () => {
  const [shop, payer] = [await createShop(), await createPayer()]
  await addSent(shop, { count: 100 })
  await pay(shop, payer, 1)
  await pay(await createShop(), payer, 2)
  expect(await countReceipts()).toBe(102)
})

it('a client who is also the payer gets all receipts if the wallet enables them', async () => {
  const [shop, payer] = [await createShop(), await createPayer()]
  await addSent(shop, { count: 100 })
  await pay(shop, payer, 1)
  await setEmail(payer)
  await pay(shop, payer, 2)
  expect(await countReceipts()).toBe(102)
})

it('erasing a client does not let a store send more', async () => {
  const [shop, payer] = [await createShop(), await createPayer()]
  const owner = await createPerson(t, shop.store, 'owner')
  const { payment_id: paymentId } = await t.createPayment(shop.live, { client })
  await addSent(shop, { count: 99, paymentId })
  const erased = await t.call('POST', '/store/live/clients/erase', owner.headers, { email: EMAIL })
  expect(erased.body.data.payments).toBe(1)
  expect(await countReceipts()).toBe(0)
  await pay(shop, payer, 2)
  expect(await countReceipts()).toBe(1)
  await pay(await createShop(), payer, 2)
  expect(await countReceipts()).toBe(3)
})

it('erasing a payer with the address of a client does not let a store send more', async () => {
  const [shop, payer, other] = [await createShop(), await createPayer(), await t.createWallet()]
  await setEmail(other)
  await addSent(shop, { count: 99 })
  const path = `/operator/wallets/${other.wallet.publicId}/erase`
  expect((await t.call('POST', path, t.operator)).status).toBe(200)
  expect(await countReceipts()).toBe(0)
  await pay(shop, payer, 2)
  expect(await countReceipts()).toBe(1)
})

it('counting reads only the emails of these stores to these addresses', async () => {
  await t.database.transaction(async (tx) => {
    await tx.execute(
      `insert into mail (mail_id, recipient, template, locale, content, client_store_id, created_at, due_at)
       select 'mail_' || n, 'client' || n % 1000, 'receipt', 'en', '', n % 20, now(), now()
       from generate_series(1, 20000) n`,
    )
    await tx.execute('analyze mail')
  })
  const clients = Array.from({ length: 50 }, (_, n) => ({
    storeId: (n % 20) as StoreId,
    recipient: `client${n}`,
  }))
  const { indexes, nodes } = await explainQueries(t.database, (on) =>
    countMailsToClients(on, clients, new Date(0)),
  )
  expect(indexes).toEqual(['mail_client_store'])
  expect(nodes.filter((node) => node.startsWith('Seq Scan'))).toEqual([])
})
