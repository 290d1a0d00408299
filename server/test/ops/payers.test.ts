import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { NO_PIN_LIMITS } from '../../src/core/pinLimits.ts'
import { parseQrCode } from '../../src/core/qrCode.ts'
import type { Database } from '../../src/database/database.ts'
import { createPayments } from '../../src/ops/createPayments.ts'
import { type PayRequest, payPayments } from '../../src/ops/payPayments.ts'
import { lockMs } from '../../src/ops/signIns.ts'
import { signIn } from '../../src/ops/walletSessions.ts'
import { createWallet, unlockWallet } from '../../src/ops/wallets.ts'
import { findWallet, findWalletByPhone } from '../../src/sql/wallets.ts'
import { newPayment } from '../setup/newPayment.ts'
import { pinAttempt } from '../setup/pins.ts'
import { startTestService, type TestService, type TestWallet } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const ACTOR = { name: 'test', requestId: null }
const MINUTE_MS = 60_000

describe('signing in', () => {
  let numberCount = 0
  const unknownNumber = () => `+4477009${String(++numberCount).padStart(5, '0')}`
  async function newWallet() {
    const profile = {
      mode: 'live' as const,
      name: 'Ada',
      email: 'ada@example.com',
      phone: unknownNumber(),
      pin: '4711',
      locale: null,
    }
    const result = await createWallet(t.database, ACTOR, profile, t.service.activation)
    if (result.kind !== 'created') throw new Error(result.kind)
    return result.wallet
  }
  const guess = (phone: string, pin = '0000') => signIn(t.database, pinAttempt(t, phone, pin))

  it('is locked after five wrong PINs, even for the right one', async () => {
    const { phone, walletId } = await newWallet()
    for (let i = 0; i < 5; i++) expect(await guess(phone)).toEqual({ kind: 'wrong' })
    const locked = await guess(phone, '4711')
    expect(locked.kind).toBe('locked')
    const until = locked.kind === 'locked' ? locked.until.getTime() : 0
    expect(Math.abs(until - Date.now() - 15 * MINUTE_MS)).toBeLessThan(MINUTE_MS)
    expect((await findWallet(t.database, walletId))!.lockedUntil!.getTime()).toBe(until)
  })

  it('is locked the same way for an unknown number', async () => {
    const phone = unknownNumber()
    const kinds: string[] = []
    for (let i = 0; i < 7; i++) kinds.push((await guess(phone)).kind)
    expect(kinds).toEqual(['wrong', 'wrong', 'wrong', 'wrong', 'wrong', 'locked', 'locked'])
  })

  it('resets the count after the right PIN', async () => {
    const { phone } = await newWallet()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) expect((await guess(phone)).kind).toBe('wrong')
      expect((await guess(phone, '4711')).kind).toBe('signed_in')
    }
  })

  it('doubles the lock with every further wrong PIN, up to a day', async () => {
    const { phone } = await newWallet()
    for (let i = 0; i < 5; i++) await guess(phone)
    const endLock = () =>
      t.database.transaction((tx) =>
        tx.execute('update sign_in_guard set locked_until = now() where subject = $1', [
          `wallet:${phone}`,
        ]),
      )
    await endLock()
    expect((await guess(phone)).kind).toBe('wrong')
    const locked = await guess(phone, '4711')
    const until = locked.kind === 'locked' ? locked.until.getTime() : 0
    expect(Math.abs(until - Date.now() - 30 * MINUTE_MS)).toBeLessThan(MINUTE_MS)
    await endLock()
    expect((await guess(phone, '4711')).kind).toBe('signed_in')
    expect((await findWalletByPhone(t.database, phone))!.lockedUntil).toBeNull()
    expect([4, 5, 6, 7, 99].map((failures) => lockMs(failures) / MINUTE_MS)).toEqual([
      0, 15, 30, 60, 1440,
    ])
  })

  it('works immediately after the operator unlocks it', async () => {
    const wallet = await newWallet()
    for (let i = 0; i < 6; i++) await guess(wallet.phone)
    await unlockWallet(t.database, ACTOR, wallet)
    expect((await findWallet(t.database, wallet.walletId))!.lockedUntil).toBeNull()
    expect((await guess(wallet.phone, '4711')).kind).toBe('signed_in')
  })

  it('allows no more attempts when they are concurrent', async () => {
    for (const phone of [(await newWallet()).phone, unknownNumber()]) {
      const kinds = (await Promise.all(Array.from({ length: 20 }, () => guess(phone)))).map(
        (result) => result.kind,
      )
      expect(kinds.filter((kind) => kind === 'wrong')).toHaveLength(5)
      expect(kinds.filter((kind) => kind === 'locked')).toHaveLength(15)
    }
  })

  it('does not deadlock with a concurrent unlock', async () => {
    const wallet = await newWallet()
    // Slow enough for the two to overlap.
    const slow: Database = {
      ...t.database,
      transaction: (work) =>
        t.database.transaction((tx) =>
          work({
            ...tx,
            execute: async (text, values) => {
              const result = await tx.execute(text, values)
              await sleep(15)
              return result
            },
          }),
        ),
    }
    for (let round = 0; round < 8; round++) {
      const unlocking = sleep(round * 10).then(() => unlockWallet(slow, ACTOR, wallet))
      const signedIn = await signIn(slow, pinAttempt(t, wallet.phone, '4711'))
      expect(signedIn.kind).toBe('signed_in')
      await unlocking
    }
    await Promise.all(Array.from({ length: 4 }, () => guess(wallet.phone, '4711')))
    const deadlocks = 'select deadlocks from pg_stat_database where datname = current_database()'
    expect(await t.database.query(deadlocks)).toEqual([{ deadlocks: 0n }])
    const { values } = await t.service.metrics.transactionRetries.get()
    expect(values).toEqual([])
  })
})

describe('a wallet with an insufficient balance', () => {
  const pay = (wallet: TestWallet, qr: string) =>
    t.call('POST', `/wallet/payment/${qr}/pay`, wallet.headers)
  async function requestOf(wallet: TestWallet, qr: string): Promise<PayRequest> {
    const code = parseQrCode(qr)
    if (typeof code === 'string') throw new Error(code)
    return {
      mode: code.mode,
      qrNumber: code.number,
      walletId: wallet.wallet.walletId,
      store: (await t.service.stores.get(code.storeId))!,
      donation: undefined,
      idempotencyKey: null,
      pinLimits: NO_PIN_LIMITS,
      isPinVerified: false,
      sandbox: null,
    }
  }

  it('fails at most three payments within an hour', async () => {
    const { live } = await t.createStore()
    const wallet = await t.createWallet({ balance: '9.99' })
    const statusOf = async (id: string) =>
      (await t.call('GET', `/merchant/payment/${id}/status`, live)).body.data.status
    for (let i = 0; i < 3; i++) {
      const payment = await t.createPayment(live)
      expect((await pay(wallet, payment.qr_code)).status).toBe(402)
      expect(await statusOf(payment.payment_id)).toBe('failed')
    }
    const fourth = await t.createPayment(live)
    const response = await pay(wallet, fourth.qr_code)
    expect(response.status).toBe(429)
    expect(response.headers['retry-after']).toBe('3600')
    expect(await statusOf(fourth.payment_id)).toBe('pending')
    // The wallet may still pay what it can afford, and another wallet may pay the fourth payment.
    const small = await t.createPayment(live, { amount: 9.99 })
    expect((await pay(wallet, small.qr_code)).status).toBe(200)
    const other = await t.createWallet({ balance: '10.00' })
    expect((await pay(other, fourth.qr_code)).status).toBe(200)
    await t.database.transaction((tx) =>
      tx.execute('update wallet_failure set at = $1', [new Date(Date.now() - 61 * 60_000)]),
    )
    expect((await pay(wallet, (await t.createPayment(live)).qr_code)).status).toBe(402)
  })

  it('has the same limit if a donation in the same batch uses up its balance', async () => {
    const { live } = await t.createStore()
    const wallet = await t.createWallet({ balance: '5.00' })
    for (let i = 0; i < 3; i++) await pay(wallet, (await t.createPayment(live)).qr_code)
    const url = `/operator/wallets/${wallet.wallet.publicId}/top-up`
    await t.call('POST', url, t.operator, { currency: 'USD', amount: '25.00' })
    const [first, second] = [await t.createPayment(live), await t.createPayment(live)]
    const results = await payPayments(t.database, t.service.outbox, [
      { ...(await requestOf(wallet, first.qr_code)), donation: 15 },
      await requestOf(wallet, second.qr_code),
    ])
    expect(results[0]!.kind).toBe('paid')
    expect(results[1]).toMatchObject({ kind: 'refused', reason: 'too_many_failures' })
    expect(await t.auditFindings()).toEqual([])
  })
})

it('a committed create succeeds even if retrying the refused ones of its batch fails', async () => {
  const { store } = await t.createStore({ dailyLimitMinor: 1_000n })
  const request = {
    store,
    mode: 'live' as const,
    payment: newPayment(1_000n),
    idempotencyKey: null,
    by: null,
    apiKey: null,
  }
  const broken: Database = {
    ...t.database,
    // The first query after the commit, before the refused requests are retried.
    query: () => Promise.reject(new Error('lock timeout')),
  }
  const results = await createPayments(broken, t.service.outbox, [request, request])
  expect(results[0]).toMatchObject({ kind: 'created' })
  expect(results[1]).toBeInstanceOf(Error)
  const rows = await t.database.query('select 1 from payment where store_id = $1', [store.storeId])
  expect(rows).toHaveLength(1)
})
