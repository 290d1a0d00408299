import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Florin } from '../../../sdk/src/index.ts'
import { startEmbedded } from '../../src/embedded/server.ts'
import { type KillableService, prepareKillableService } from '../faults/killable.ts'
import { startProgram, until } from '../setup/started.ts'
import { deliver, eventOfUnknownPayment } from './deliveries.ts'
import { type Engine, type Installed, installShop, PROJECT, run } from './install.ts'
import { keepRow } from './report.ts'
import type { Shop, ShopOrder } from './shop.ts'

export type OpenShop = (options: {
  readonly folder: string
  readonly databaseUrl: string
  /** FLORIN_URL, the API key and its secret, and the webhook secret. */
  readonly env: Readonly<Record<string, string>>
}) => Promise<Shop>

const WRONG_SECRET = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA='

/** Runs a shop through orders, kills of Florin, resent webhooks and refunds, and checks the money at the end. */
export function describeShop(engine: Engine, openShop: OpenShop): void {
  let installed: Installed
  let service: KillableService
  let shop: Shop
  let florin: Florin
  let webhookSecret: string
  let startBalance: number
  const orders: ShopOrder[] = []
  const counts = { kills: 0, replays: 0 }
  const cleanups: (() => Promise<unknown>)[] = []

  beforeAll(async () => {
    // Set FLORIN_SHOPS_FOLDER to keep the installed engines between runs.
    const existingFolder = process.env.FLORIN_SHOPS_FOLDER
    const folder = existingFolder ?? (await mkdtemp(join(tmpdir(), 'florin-shops-')))
    if (existingFolder === undefined)
      cleanups.push(() => rm(folder, { recursive: true, force: true }))
    installed = await installShop(engine, folder)
    service = await prepareKillableService()
    cleanups.push(service.remove)
    await service.start()
    const { sandbox } = await service.demo()
    const keys = { apiKey: sandbox.api_key, apiSecret: sandbox.api_secret }
    florin = new Florin({ baseUrl: service.origin, ...keys })
    webhookSecret = sandbox.webhook_secret
    const databaseFolder = await mkdtemp(join(tmpdir(), 'florin-shops-data-'))
    cleanups.push(() => rm(databaseFolder, { recursive: true, force: true }))
    const database = await startEmbedded({ folder: databaseFolder, log: () => {} })
    cleanups.push(database.stop)
    shop = await openShop({
      folder: installed.shop,
      databaseUrl: await createDatabase(database.url, engine),
      env: {
        FLORIN_URL: service.origin,
        FLORIN_API_KEY: keys.apiKey,
        FLORIN_API_SECRET: keys.apiSecret,
        FLORIN_WEBHOOK_SECRET: webhookSecret,
      },
    })
    cleanups.push(shop.server.stop)
    startBalance = cents((await florin.balance()).balance)
  })
  afterAll(async () => {
    for (const cleanup of cleanups.reverse()) await cleanup()
  })

  async function kill(): Promise<void> {
    await service.end('SIGKILL')
    counts.kills += 1
  }

  async function payOrder(order: ShopOrder): Promise<ShopOrder> {
    await florin.sandbox.pay(order.paymentId)
    orders.push(order)
    return order
  }

  const waitForState = (order: ShopOrder, state: 'paid' | 'refunded') =>
    until(async () => (await shop.stateOf(order)) === state, 90_000)
  const hookUrl = () => shop.server.origin + shop.webhookPath

  /** Sends an event that the shop logs, and waits for the line. Everything sent before has then been handled. */
  async function settle(): Promise<void> {
    const last = eventOfUnknownPayment()
    await deliver(hookUrl(), last, webhookSecret)
    await until(async () => shop.server.output().includes(`${last.paymentId} is ignored`))
  }

  describe(`${engine}, from npm`, () => {
    it('has a package that passes its own tests, oxlint, publint and attw', () => {
      expect(installed.problems).toEqual([])
      expect(installed.tests).toMatch(/^# pass [1-9]/)
    })

    it('creates a new payment when the total of an order changes, and expires the old one', async () => {
      const order = await shop.order()
      const { request_amount, status } = await florin.payments.retrieve(order.paymentId)
      expect([cents(request_amount.amount), status]).toEqual([cents(order.total), 'pending'])
      const larger = await shop.orderMore(order)
      expect(larger.paymentId).not.toBe(order.paymentId)
      expect(cents(larger.total)).toBeGreaterThan(cents(order.total))
      const renewed = await florin.payments.retrieve(larger.paymentId)
      expect(cents(renewed.request_amount.amount)).toBe(cents(larger.total))
      await until(async () => (await florin.payments.status(order.paymentId)).status === 'expired')
    })

    it('creates no payment while Florin is down, and a payment afterwards', async () => {
      const order = await shop.order()
      await kill()
      await expect(shop.createPayment(order)).rejects.toThrow(/payment|Florin/i)
      expect(await shop.stateOf(order)).toBe('unpaid')
      await service.start()
      const again = await payOrder(await shop.createPayment(order))
      await waitForState(again, 'paid')
    })

    it('captures by webhook, although Florin is killed right after the payment', async () => {
      const order = await payOrder(await shop.order())
      await kill()
      await service.start()
      await waitForState(order, 'paid')
      expect(await shop.countRecordedPayments(order)).toBe(1)
    })

    it('keeps an order unpaid when its payment fails, and accepts a new payment', async () => {
      const order = await shop.order()
      await florin.sandbox.fail(order.paymentId)
      await until(async () => {
        const [event] = await florin.payments.webhooks(order.paymentId)
        return event?.state === 'delivered'
      })
      await settle()
      expect(await shop.stateOf(order)).toBe('unpaid')
      const next = await shop.createPayment(order)
      expect(next.paymentId).not.toBe(order.paymentId)
      await waitForState(await payOrder(next), 'paid')
    })

    it('refuses a partial refund before any money moves', async () => {
      const before = await florin.balance()
      await expect(shop.refund(orders[0]!, 'part')).rejects.toThrow(
        'Florin refunds payments in full',
      )
      expect(await florin.balance()).toEqual(before)
      expect(await shop.stateOf(orders[0]!)).toBe('paid')
    })

    it('refunds from the admin API, even after Florin was killed', async () => {
      const order = orders[0]!
      await kill()
      await expect(shop.refund(order, 'full')).rejects.toThrow()
      expect(await shop.stateOf(order)).toBe('paid')
      await service.start()
      await shop.refund(order, 'full')
      expect((await florin.payments.status(order.paymentId)).status).toBe('refunded')
      await waitForState(order, 'refunded')
    })

    it('ignores forged webhooks, and those of unknown payments, other shops and other amounts', async () => {
      const order = await shop.order()
      const webhook_url = hookUrl()
      const otherPayment = await florin.payments.create({
        amount: '1.00',
        currency: 'USD',
        webhook_url,
      })
      const cheap = await florin.payments.create({
        amount: '1.00',
        currency: 'USD',
        webhook_url,
        payload: shop.payloadOf(order),
      })
      for (const { payment_id } of [otherPayment, cheap]) await florin.sandbox.pay(payment_id)
      for (const { payment_id } of [otherPayment, cheap]) {
        await until(async () => shop.server.output().includes(payment_id))
      }
      const forged = eventOfUnknownPayment()
      await deliver(webhook_url, forged, WRONG_SECRET)
      await until(async () => /no signature matches/.test(shop.server.output()))
      await settle()
      expect(await shop.stateOf(order)).toBe('unpaid')
      expect(shop.server.output()).not.toContain(forged.paymentId)
    })

    it('completes the example of its README', async () => {
      const example = startProgram(['order.mjs'], { ...shop.exampleEnv }, installed.shop)
      await until(async () => example.output().includes('Pay here'))
      const [, paymentId] = /Pay here: \S+\/pay\/(\w+)/.exec(example.output())!
      await florin.sandbox.pay(paymentId!)
      expect(await example.exited).toBe(0)
      expect(example.output()).toMatch(/is (PaymentSettled|paid and ordered)\n$/)
    })

    it('is not changed by webhooks that are resent in reverse order', async () => {
      const readState = async () => {
        const rows = orders.map(async (order) => [
          await shop.stateOf(order),
          await shop.countRecordedPayments(order),
        ])
        return [await florin.balance(), await Promise.all(rows)]
      }
      const before = await readState()
      const { items } = await florin.events.list({ from: new Date(0), limit: 100 }).page()
      expect(items.length).toBeGreaterThan(5)
      for (const delivery of [...items, ...items].reverse()) {
        expect(await deliver(hookUrl(), delivery, webhookSecret)).toBe(200)
        counts.replays += 1
      }
      await settle()
      expect(await readState()).toEqual(before)
    })

    it('has the money in the ledger, to the cent', async () => {
      let expected = startBalance
      const { items } = await florin.payments.list({ limit: 100 }).page()
      for (const { status, amount, refund } of items) {
        if (status === 'completed' || status === 'refunded') expected += cents(amount)
        if (refund !== null) expected -= cents(refund.refund_amount) + cents(refund.refund_fee)
      }
      expect(cents((await florin.balance()).balance)).toBe(expected)
      const { PATH = '' } = process.env
      const audit = await run(process.execPath, ['dist/florin.js', 'audit', '--json'], PROJECT, {
        PATH,
        FLORIN_DATA: service.folder,
      })
      expect(JSON.parse(audit)).toMatchObject({ clean: true })
      await keepRow({
        shop: `${engine} ${installed.version}`,
        'orders paid': orders.length,
        refunded: 1,
        'kills of Florin': counts.kills,
        'webhooks resent': counts.replays,
        'balance, cents': `${startBalance} -> ${expected}`,
        audit: 'clean',
      })
    })
  })
}

const cents = (decimal: string) => Math.round(Number(decimal) * 100)

async function createDatabase(url: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}
