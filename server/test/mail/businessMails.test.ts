import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { lastDays, localDay } from '../../src/core/calendar.ts'
import type { StoreId } from '../../src/core/ids.ts'
import type { MailContent } from '../../src/core/mail.ts'
import { decryptSecret } from '../../src/core/secrets.ts'
import { readCloses } from '../../src/ops/books.ts'
import { mailDailyCloses } from '../../src/ops/dailyCloseMails.ts'
import { erasePayer } from '../../src/ops/erasure.ts'
import { inReportTransaction } from '../../src/ops/reportTransaction.ts'
import { WITH_MAIL } from '../setup/mails.ts'
import { withOlderTransactions } from '../setup/olderTransactions.ts'
import { createPerson } from '../setup/people.ts'
import { rethrow } from '../setup/rethrow.ts'
import { startTestService, type TestService } from '../setup/testService.ts'
import { zoneOfNoon } from '../setup/timeZones.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())
afterEach(() => t.database.transaction((tx) => tx.execute('delete from mail')))

/** The emails in the queue, with their content. */
async function readQueue() {
  const rows = await t.database.query<{ recipient: string; locale: string; content: Buffer }>(
    'select recipient, locale, content from mail order by recipient, mail_id',
  )
  return rows.map(({ recipient: to, locale, content }) => ({
    to,
    locale,
    content: JSON.parse(decryptSecret(content, t.service.secretKey)) as MailContent,
  }))
}

const CLIENT = { name: 'Grace', email: 'Grace@Client.example', phone: '5551234' }

async function pay(
  shop: Awaited<ReturnType<typeof t.createStore>>,
  mode: 'live' | 'sandbox' = 'live',
) {
  const payer = await t.createWallet({ balance: '100.00', mode })
  const body = { client: CLIENT, reference_id: 'order-42' }
  const payment = await t.createPayment(shop[mode], body)
  const path = `/wallet/payment/${payment.qr_code}/pay`
  const paid = await t.call('POST', path, payer.headers, {})
  expect(paid.status).toBe(200)
  return { payer, paymentId: payment.payment_id }
}
const enableWalletReceipts = (walletId: number) =>
  t.database.transaction((tx) =>
    tx.execute(`update wallet set mail_receipts = true, locale = 'fr' where wallet_id = $1`, [
      walletId,
    ]),
  )

describe('a receipt', () => {
  it('is off by default', async () => {
    const shop = await t.createStore()
    await pay(shop)
    expect(await readQueue()).toEqual([])
  })

  it('goes to the client if the store enables it, and so does the refund', async () => {
    const shop = await t.createStore({
      mailReceipts: true,
      locale: 'es',
      name: 'Tienda',
      refundFeeMinor: 50n,
    })
    const { paymentId } = await pay(shop)
    const gross = '10,00\u00a0USD'
    const content = {
      name: 'Grace',
      store: 'Tienda',
      gross,
      donation: null,
      reference: 'order-42',
      paymentId,
      at: expect.stringMatching(/^\d{4}-/),
      isTest: false,
    }
    const receipt = { ...content, template: 'receipt', amount: gross, refundFee: null }
    const to = 'grace@client.example'
    expect(await readQueue()).toEqual([{ to, locale: 'es', content: receipt }])
    const refunded = await t.call('POST', `/merchant/payment/${paymentId}/refund`, shop.live, {})
    expect(refunded.status).toBe(200)
    const refund = {
      ...content,
      template: 'refund',
      amount: '9,50\u00a0USD',
      refundFee: '0,50\u00a0USD',
    }
    expect((await readQueue()).at(-1)).toEqual({ to, locale: 'es', content: refund })
  })

  it('goes to the payer if the wallet enables it, in its language', async () => {
    const shop = await t.createStore()
    const payer = await t.createWallet({ balance: '100.00' })
    await enableWalletReceipts(payer.wallet.walletId)
    const { qr_code } = await t.createPayment(shop.live)
    await t.call('POST', `/wallet/payment/${qr_code}/pay`, payer.headers, { donation_amount: 1 })
    const mails = await readQueue()
    expect(mails.map(({ to, locale }) => [to, locale])).toEqual([[payer.wallet.email, 'fr']])
    expect(mails[0]!.content).toMatchObject({
      template: 'receipt',
      amount: '11,00\u00a0USD',
      gross: '10,00\u00a0USD',
      donation: '1,00\u00a0USD',
    })
  })

  it('of a test payment is marked as a test, and goes to the store instead of the client', async () => {
    const shop = await t.createStore({ mailReceipts: true, email: 'shop@store.example' })
    await pay(shop, 'sandbox')
    const content = expect.objectContaining({ isTest: true })
    expect(await readQueue()).toEqual([{ to: 'shop@store.example', locale: 'en', content }])
    await pay(await t.createStore({ mailReceipts: true, email: '' }), 'sandbox')
    expect(await readQueue()).toHaveLength(1)
  })

  it('is not written for a failed payment', async () => {
    const shop = await t.createStore({ mailReceipts: true })
    const poor = await t.createWallet()
    const { qr_code } = await t.createPayment(shop.live, { client: CLIENT })
    const failed = await t.call('POST', `/wallet/payment/${qr_code}/pay`, poor.headers, {})
    expect(failed.status).toBe(402)
    expect(await readQueue()).toEqual([])
  })

  it('is deleted when the client or the payer is erased', async () => {
    const shop = await t.createStore({ mailReceipts: true })
    const other = await t.createStore({ mailReceipts: true })
    await pay(shop)
    await pay(other)
    const path = `/operator/stores/${shop.store.storeId}/clients/erase`
    await t.call('POST', path, t.operator, { mode: 'live', email: CLIENT.email })
    expect(await readQueue()).toHaveLength(1)

    const payer = await t.createWallet({ balance: '10.00' })
    await enableWalletReceipts(payer.wallet.walletId)
    const { qr_code } = await t.createPayment(shop.live)
    await t.call('POST', `/wallet/payment/${qr_code}/pay`, payer.headers, {})
    const exported = await t.call(
      'POST',
      `/operator/wallets/${payer.wallet.publicId}/export`,
      t.operator,
      {},
    )
    expect(exported.body.data.mails).toEqual([
      { template: 'receipt', created_at: expect.any(String), sent_at: null },
    ])
    const erased = await erasePayer(t.database, { name: 'test', requestId: null }, payer.wallet)
    expect(erased.kind).toBe('erased')
    expect((await readQueue()).map(({ to }) => to)).toEqual(['grace@client.example'])
  })
})

it('a payout is emailed to the owners, and a refused payout is not', async () => {
  const shop = await t.createStore({ name: 'Corner Café' })
  const owner = await createPerson(t, shop.store, 'owner')
  await createPerson(t, shop.store, 'manager')
  await t.fund(shop.store, 'live', '500.00')
  const path = `/operator/stores/${shop.store.storeId}/payout`
  const body = { mode: 'live', amount: '120.00', note: 'October' }
  expect((await t.call('POST', path, t.operator, { ...body, amount: '900.00' })).status).toBe(400)
  expect(await readQueue()).toEqual([])
  expect((await t.call('POST', path, t.operator, body)).status).toBe(200)
  expect(await readQueue()).toEqual([
    {
      to: owner.email,
      locale: 'en',
      content: {
        template: 'payout',
        name: owner.name,
        store: 'Corner Café',
        amount: '120.00\u00a0USD',
        note: 'October',
        at: expect.stringMatching(/^\d{4}-/),
      },
    },
  ])
})

describe('the daily close', () => {
  const run = (onFailure: (storeId: StoreId, error: unknown) => void = rethrow) =>
    mailDailyCloses(
      t.database,
      { mail: t.service.mail, publicUrl: 'https://pay.example.com' },
      onFailure,
    )

  it('is emailed to the owners once per day, even by concurrent runs', async () => {
    const timeZone = zoneOfNoon()
    const settings = { mailDailyClose: true, name: 'Corner Café', feeBps: 100, timeZone }
    const shop = await t.createStore(settings)
    const owner = await createPerson(t, shop.store, 'owner')
    await pay(shop)
    await t.database.transaction(async (tx) => {
      const { storeId } = shop.store
      for (const [table, column] of [
        ['store', 'created_at'],
        ['transfer', 'at'],
        ['event', 'created_at'],
      ]) {
        await tx.execute(
          `update ${table} set ${column} = ${column} - interval '1 day' where store_id = $1`,
          [storeId],
        )
      }
    })
    const counts = await Promise.all([run(), run(), run()])
    expect(counts.reduce((sum, count) => sum + count)).toBe(1)
    expect(await run()).toBe(0)
    const yesterday = lastDays(new Date(), timeZone, 2)[1]!.day
    expect(await readQueue()).toEqual([
      {
        to: owner.email,
        locale: 'en',
        content: {
          template: 'daily_close',
          name: owner.name,
          store: 'Corner Café',
          day: yesterday,
          payments: 1,
          gross: '10.00\u00a0USD',
          refunds: '0.00\u00a0USD',
          fees: '0.10\u00a0USD',
          net: '9.90\u00a0USD',
          url: 'https://pay.example.com/dashboard#/live/balance/days',
        },
      },
    ])
  })

  it('is not over, and not emailed, while a transaction of that day may still commit', async () => {
    const { store } = await t.createStore({ mailDailyClose: true, timeZone: zoneOfNoon() })
    await createPerson(t, store, 'owner')
    const dayBefore = `created_at = created_at - interval '1 day'`
    await t.database.query(`update store set ${dayBefore} where store_id = $1`, [store.storeId])
    const yesterday = lastDays(new Date(), store.timeZone, 2).slice(1)
    const owner = { storeId: store.storeId, mode: 'live' } as const
    const mailTo = { mail: t.service.mail, publicUrl: 'https://pay.example.com' }
    await withOlderTransactions(t, '1 day', async (database) => {
      const isOver = async () => (await readCloses(database, owner, yesterday))[0]!.isOver
      await t.database.transaction(async (tx) => {
        await tx.query('select pg_current_xact_id()')
        expect([await isOver(), await mailDailyCloses(database, mailTo, rethrow)]).toEqual([
          false,
          0,
        ])
      })
      expect([await isOver(), await mailDailyCloses(database, mailTo, rethrow)]).toEqual([true, 1])
    })
  })

  it('is emailed to the other stores if the close of one store fails', async () => {
    const settings = { mailDailyClose: true, timeZone: zoneOfNoon() }
    const { store: busy } = await t.createStore(settings)
    const { store: other } = await t.createStore(settings)
    const owner = await createPerson(t, other, 'owner')
    await t.database.query(
      `update store set created_at = created_at - interval '1 day' where store_id = any($1)`,
      [[busy.storeId, other.storeId]],
    )
    // The first store has as many running and waiting reports as a store can have, so the report of its close is refused.
    let end = () => {}
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    const reports = Array.from({ length: 10 }, () =>
      inReportTransaction(t.database, `store ${busy.storeId}`, () => ended),
    )
    const failed: StoreId[] = []
    const mailed = run((storeId) => {
      failed.push(storeId)
      end()
    }).finally(end)
    expect(await mailed).toBe(1)
    await Promise.all(reports)
    expect(failed).toEqual([busy.storeId])
    expect((await readQueue()).map(({ to }) => to)).toEqual([owner.email])
    expect(await run()).toBe(1)
  })

  it('is emailed even if a later day was emailed while the clock was ahead', async () => {
    const { store } = await t.createStore({ mailDailyClose: true, timeZone: zoneOfNoon() })
    const { storeId, timeZone } = store
    const owner = await createPerson(t, store, 'owner')
    await t.database.query(
      `update store set created_at = created_at - interval '1 day' where store_id = $1`,
      [storeId],
    )
    await t.database.query('insert into daily_close_mail (store_id, day) values ($1, $2)', [
      storeId,
      localDay(new Date(Date.now() + 3 * 86_400_000), timeZone),
    ])
    expect([await run(), await run()]).toEqual([1, 0])
    expect((await readQueue()).map(({ to }) => to)).toEqual([owner.email])
  })

  it('is not emailed for a store that did not enable it or has no complete day yet', async () => {
    const { store } = await t.createStore({ timeZone: zoneOfNoon() })
    await t.database.query(
      `update store set created_at = created_at - interval '1 day' where store_id = $1`,
      [store.storeId],
    )
    await t.createStore({ mailDailyClose: true, timeZone: zoneOfNoon() })
    expect(await run()).toBe(0)
  })
})
