import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { createPayments } from '../../src/ops/createPayments.ts'
import { sweepOverdue } from '../../src/ops/expirePayments.ts'
import { refundPayments } from '../../src/ops/refundPayments.ts'
import { signIn } from '../../src/ops/walletSessions.ts'
import { openService } from '../../src/service.ts'
import { startCuttingProxy } from '../setup/cuttingProxy.ts'
import { newPayment } from '../setup/newPayment.ts'
import { pinAttempt } from '../setup/pins.ts'
import { rethrow } from '../setup/rethrow.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

describe('a store whose time zone changes between two requests of one batch', () => {
  it('counts each payment on its own day, and both can expire', async () => {
    const { store } = await t.createStore()
    // UTC-12 and UTC+14, which never have the same date.
    const requests = ['Etc/GMT+12', 'Etc/GMT-14'].map((timeZone) => ({
      store: { ...store, timeZone },
      mode: 'live' as const,
      payment: newPayment(100n),
      idempotencyKey: null,
      by: null,
      apiKey: null,
    }))
    const { outbox } = t.service
    const results = await createPayments(t.database, outbox, requests)
    expect(await t.auditFindings()).toEqual([])
    for (const result of results) {
      if (result instanceof Error || result.kind !== 'created') throw new Error('not created')
      await t.makeOverdue(result.payment.paymentId)
    }
    expect(await sweepOverdue(t.database, outbox, rethrow)).toBe(2)
    expect(await t.auditFindings()).toEqual([])
  })
})

describe('a movement of money whose database connection breaks during COMMIT', () => {
  it.each(['reply', 'sending', 'late', 'never'] as const)('happens once: %s', async (cut) => {
    const { store } = await t.createStore()
    const wallet = await t.createWallet()
    const proxy = await startCuttingProxy(t.databaseUrl)
    const service = openService(t.service.config, {
      databaseUrl: proxy.url,
      secretKey: t.service.secretKey,
      pepper: t.service.pepper,
      log: t.service.log,
    })
    const app = await buildApp(service, { localOperator: { token: 'op', name: 'op' } })
    const post = (url: string, payload: object) =>
      app.inject({ method: 'POST', url, payload, headers: { authorization: 'Bearer op' } })
    try {
      await service.database.query('select 1')
      proxy.cutNext(cut)
      const fund = await post(`/operator/stores/${store.storeId}/fund`, {
        mode: 'live',
        amount: '100.00',
      })
      expect(fund.json()).toMatchObject({ status: 200, data: { balance: '100.00' } })
      proxy.cutNext(cut)
      const topUp = await post(`/operator/wallets/${wallet.wallet.publicId}/top-up`, {
        currency: 'USD',
        amount: '7.00',
      })
      expect(topUp.json()).toMatchObject({ status: 200, data: { balance: '7.00' } })
      expect(proxy.count()).toEqual({ cut: 2, left: 0 })
    } finally {
      await app.close()
      await service.database.close()
      await proxy.close()
    }
    expect(await t.auditFindings()).toEqual([])
  })
})

it('a live refund succeeds in a batch with a sandbox refund of the same id', async () => {
  const { store, live } = await t.createStore()
  await t.fund(store, 'live', '10')
  const wallet = await t.createWallet({ balance: '10' })
  const { payment_id, qr_code } = await t.createPayment(live, { amount: 1 })
  await t.call('POST', `/wallet/payment/${qr_code}/pay`, wallet.headers)
  const key = {
    storeId: store.storeId,
    paymentId: payment_id as never,
    store,
    idempotencyKey: null,
    by: null,
    apiKey: null,
  }
  const results = await refundPayments(t.database, t.service.outbox, [
    { ...key, mode: 'live' },
    { ...key, mode: 'sandbox' },
  ])
  expect(results.map((result) => result.kind)).toEqual(['refunded', 'refused'])
})

it('a sign-in that started before the PIN was reset leaves no session', async () => {
  const created = await t.call('POST', '/operator/wallets', t.operator, {
    mode: 'live',
    name: 'Eve',
    email: 'e@example.com',
    phone: '+15559990001',
    pin: '4711',
  })
  const reset = `/operator/wallets/${created.body.data.wallet_id}/pin`
  const phone = '+15559990001'
  const signIns = Array.from({ length: 3 }, () => signIn(t.database, pinAttempt(t, phone, '4711')))
  const response = await t.call('POST', reset, t.operator, { pin: '8052' })
  expect(response.status).toBe(200)
  await Promise.all(signIns)
  const rows = await t.database.query(
    `select 1
     from wallet_session s
     join wallet w on w.wallet_id = s.wallet_id and w.phone = $1`,
    [phone],
  )
  expect(rows).toEqual([])
})

describe('concurrent requests', () => {
  it("sign-ins from one address don't bypass the throttle", async () => {
    // The limit refills over time, so the clock is stopped.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const responses = await Promise.all(
      Array.from({ length: 80 }, (_, index) =>
        t.call('POST', '/wallet/session', {}, { phone: `+1555888${1000 + index}`, pin: '0000' }),
      ),
    )
    const statuses = responses.map((response) => response.status)
    expect(statuses.filter((status) => status === 401).length).toBeLessThanOrEqual(60)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20)
  })

  it('guessed keys from one address share a throttle', async () => {
    const guess = (index: number) =>
      t.call('GET', '/merchant/balance', {
        'api-key': `flk_live_${String(index).padStart(20, '0')}`,
        'api-secret': 'x',
      })
    // Attempts become allowed again over time, so the clock is stopped.
    vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const statuses: number[] = []
    for (let round = 0; round < 16; round++) {
      const guesses = Array.from({ length: 50 }, (_, index) => guess(50 * round + index))
      statuses.push(...(await Promise.all(guesses)).map((response) => response.status))
    }
    expect(statuses.slice(0, 500)).toEqual(Array(500).fill(401))
    expect(statuses.slice(-50)).toContain(429)
  })
})

describe('a client', () => {
  it('behind a proxy cannot forge its address', async () => {
    const behindProxy = await startTestService({ FLORIN_TRUST_PROXY: '1' })
    try {
      // Attempts become allowed again over time, so the clock is stopped.
      vi.spyOn(performance, 'now').mockReturnValue(performance.now())
      const statuses = []
      for (let index = 0; index < 70; index++) {
        const response = await behindProxy.call('GET', '/operator/rates', {
          authorization: 'Bearer wrong',
          'x-forwarded-for': `10.0.0.${index}, 192.0.2.7`,
        })
        statuses.push(response.status)
      }
      expect(statuses.at(-1)).toBe(429)
    } finally {
      await behindProxy.close()
    }
  })

  it('that disconnects within a body causes no 5xx response', async () => {
    const { live } = await t.createStore()
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as AddressInfo
    const readFailures = async () => {
      const { values } = await t.service.metrics.requests.get()
      return values.filter(({ labels }) => Number(labels.status) >= 500)
    }
    const before = await readFailures()
    const received = once(t.app.server, 'request') as Promise<[IncomingMessage]>
    const headers = { ...live, 'content-type': 'application/json', 'content-length': '1000' }
    const call = httpRequest({
      port,
      method: 'POST',
      path: '/merchant/payment/create',
      headers,
    })
    call.on('error', () => {})
    call.write('{"amount":')
    const [request] = await received
    const closed = once(request.socket, 'close')
    call.destroy()
    await closed
    // Long enough for an error of the request to be handled.
    await t.call('GET', '/health')
    expect(await readFailures()).toEqual(before)
  })
})

it("an operator's transfer with an Idempotency-Key happens once", async () => {
  const { store } = await t.createStore()
  const { wallet } = await t.createWallet()
  for (const [url, body] of [
    [`/operator/stores/${store.storeId}/fund`, { mode: 'live', amount: '10.00' }],
    [`/operator/stores/${store.storeId}/payout`, { mode: 'live', amount: '4.00' }],
    [`/operator/wallets/${wallet.publicId}/top-up`, { currency: 'USD', amount: '9.00' }],
    [`/operator/wallets/${wallet.publicId}/withdraw`, { currency: 'USD', amount: '2.00' }],
  ] as const) {
    const headers = { ...t.operator, 'idempotency-key': url.replaceAll('/', '-') }
    const responses = await Promise.all([1, 2, 3].map(() => t.call('POST', url, headers, body)))
    expect(new Set(responses.map((response) => response.text)).size).toBe(1)
    expect(responses.filter((response) => response.headers['idempotent-replayed'])).toHaveLength(2)
    const other = await t.call('POST', url, headers, { ...body, amount: '1.00' })
    expect(other.status).toBe(422)
  }
  const [row] = await t.database.query<{ store: bigint; wallet: bigint }>(
    `select (select balance from store_balance where store_id = $1 and mode = 'live') as store,
       (select balance from wallet_balance where wallet_id = $2) as wallet`,
    [store.storeId, wallet.walletId],
  )
  expect(row).toEqual({ store: 600n, wallet: 700n })
  expect(await t.auditFindings()).toEqual([])
})
