import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CurrencyCode } from '../../src/core/currencies.ts'
import type { Mode } from '../../src/core/ids.ts'
import { MODES } from '../../src/core/ids.ts'
import { sweepOverdue } from '../../src/ops/expirePayments.ts'
import { setRate } from '../../src/ops/rates.ts'
import * as model from '../setup/model.ts'
import { asNumber, asText, CURRENCIES } from '../setup/model.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
  for (const [pair, rate] of Object.entries(model.RATES)) {
    const [from, to] = pair.split('/') as [CurrencyCode, CurrencyCode]
    await setRate(t.database, { name: 'test', requestId: null }, { from, to, rate })
  }
})
afterAll(() => t.close())

// ── Commands ────────────────────────────────────────────────────────────────────────────────────

const index = fc.nat({ max: 40 })
const mode = fc.constantFrom<Mode>('live', 'sandbox')
const currency = fc.constantFrom(...CURRENCIES)
const minor = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 1n, max: 5_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 60_000n }) },
  { weight: 2, arbitrary: fc.constantFrom(1n, 50n, 100n) },
)
const donation = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0n) },
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 3_000n }) },
  { weight: 1, arbitrary: fc.constant('bad' as const) },
)
const is = <K extends string>(name: K) => fc.constant(name)
const often = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
// 0: an unrelated actor.
const stranger = fc.nat({ max: 9 })
const onPayment = { payment: index, stranger }

const command = fc.oneof(
  often(9, fc.record({ kind: is('create'), store: index, mode, amount: minor, currency })),
  often(12, fc.record({ kind: is('pay'), ...onPayment, wallet: index, donation })),
  often(
    3,
    fc.record({
      kind: is('sandboxPay'),
      ...onPayment,
      outcome: fc.constantFrom('completed', 'completed', 'insufficient_balance', 'error'),
      donation: fc.bigInt({ min: 0n, max: 500n }),
    }),
  ),
  often(6, fc.record({ kind: is('refund'), ...onPayment })),
  often(1, fc.record({ kind: is('expire'), ...onPayment })),
  often(1, fc.record({ kind: is('sandboxExpire'), ...onPayment })),
  often(2, fc.record({ kind: is('timePasses'), payment: index })),
  often(1, fc.record({ kind: is('sweep') })),
  often(2, fc.record({ kind: is('topUp'), wallet: index, currency, amount: minor })),
  often(1, fc.record({ kind: is('withdraw'), wallet: index, currency, amount: minor })),
  often(1, fc.record({ kind: is('fund'), store: index, mode, amount: minor })),
  often(2, fc.record({ kind: is('payout'), store: index, mode, amount: minor })),
  often(
    2,
    fc.record({
      kind: is('setFees'),
      store: index,
      feeBps: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 10_000 })),
      feeFixed: fc.bigInt({ min: 0n, max: 60n }),
      refundFee: fc.constantFrom(0n, 1n, 50n, 100n, 123n),
    }),
  ),
  often(1, fc.record({ kind: is('suspend'), store: index, suspended: fc.boolean() })),
)
type Command = typeof command extends fc.Arbitrary<infer C> ? C : never

// ── Setup ───────────────────────────────────────────────────────────────────────────────────────

type Store = TestStore & { model: model.ModelStore }
type Wallet = TestWallet & { model: model.ModelWallet }
type Payment = { id: string; qr: string; store: Store; mode: Mode; model: model.ModelPayment }
type World = { stores: Store[]; wallets: Wallet[]; payments: Payment[] }

async function newWorld(): Promise<World> {
  const stores: Store[] = []
  for (const settings of [
    { currency: 'USD', dailyLimit: 9_000n, maxAmount: null },
    { currency: 'JPY', dailyLimit: null, maxAmount: 50_000n },
    { currency: 'KWD', dailyLimit: 90_000n, maxAmount: 60_000n },
  ]) {
    const made = await t.createStore({
      currency: settings.currency as CurrencyCode,
      dailyLimitMinor: settings.dailyLimit,
      maxAmountMinor: settings.maxAmount,
      timeZone: zoneOfNoon(),
    })
    stores.push({ ...made, model: model.newStore(settings) })
  }
  const wallets: Wallet[] = []
  for (const walletMode of [...MODES, ...MODES]) {
    const made = await t.createWallet({ mode: walletMode })
    wallets.push({ ...made, model: model.newWallet(walletMode) })
  }
  const world = { stores, wallets, payments: [] }
  // Two wallets have enough money, two don't.
  for (const wallet of [0, 1]) {
    for (const code of CURRENCIES) {
      await act(world, { kind: 'topUp', wallet, currency: code, amount: 15_000n })
    }
  }
  return world
}

const pick = <T>(items: readonly T[], at: number): T | undefined => items[at % items.length]
const keysOf = (store: Store, mode: Mode): Headers => (mode === 'live' ? store.live : store.sandbox)
const patch = (store: Store, body: unknown) =>
  t.call('PATCH', `/operator/stores/${store.store.storeId}`, t.operator, body)

type Done = { status: number; expected: number }

/** Runs a command on the service and on the model. Null if there is nothing to run it on. */
async function act(world: World, it: Command): Promise<Done | null> {
  const post = async (url: string, headers: Headers, body?: unknown) =>
    (await t.call('POST', url, headers, body)).status
  const store = 'store' in it ? pick(world.stores, it.store)! : world.stores[0]!
  const isStranger = 'stranger' in it && it.stranger === 0
  const sandboxed = it.kind === 'sandboxPay' || it.kind === 'sandboxExpire'
  const candidates = world.payments.filter((p) => !sandboxed || isStranger || p.mode === 'sandbox')
  const payment = 'payment' in it ? pick(candidates, it.payment) : undefined
  if ('payment' in it && payment === undefined) return null
  const fitting = world.wallets.filter(
    ({ model: m }) => it.kind !== 'pay' || isStranger || m.mode === payment!.mode,
  )
  const wallet = 'wallet' in it ? pick(fitting, it.wallet)! : world.wallets[0]!
  const { currency: own } = (payment?.store ?? store).model
  const operate = (path: string, amount: bigint, code: string, more: object) =>
    post(path, t.operator, { ...more, amount: asText(amount, code) })
  const asker = isStranger && !sandboxed ? other(world, payment!) : payment?.store
  const url = (side: string, verb: string) => `/${side}/payment/${payment!.id}/${verb}`
  const merchant = (verb: string) => post(url('merchant', verb), keysOf(asker!, payment!.mode))
  const unlessForeign = (expected: () => number) =>
    asker === payment!.store ? expected() : asker!.model.suspended ? 403 : 404

  switch (it.kind) {
    case 'create': {
      const made = model.create(store.model, it)
      const body = { amount: asNumber(it.amount, it.currency), currency: it.currency }
      const keys = keysOf(store, it.mode)
      const response = await t.call('POST', '/merchant/payment/create', keys, body)
      if (typeof made === 'number') return { status: response.status, expected: made }
      const data = response.body.data ?? {}
      const known = { id: data.payment_id, qr: data.qr_code }
      world.payments.push({ ...known, store, mode: it.mode, model: made })
      return { status: response.status, expected: 200 }
    }
    case 'pay': {
      const donation = it.donation === 'bad' ? 0.00001 : asNumber(it.donation, own)
      const body = it.donation === 0n ? undefined : { donation_amount: donation }
      const expected = model.pay(payment!.model, wallet.model, it.donation)
      const status = await post(`/wallet/payment/${payment!.qr}/pay`, wallet.headers, body)
      return { status, expected }
    }
    case 'sandboxPay': {
      const fails = it.outcome !== 'completed'
      const expected = model.sandboxPay(payment!.model, it.donation, fails)
      const body = { outcome: it.outcome, donation_amount: asNumber(it.donation, own) }
      return { status: await post(url('sandbox', 'pay'), payment!.store.sandbox, body), expected }
    }
    case 'refund':
      return {
        expected: unlessForeign(() => model.refund(payment!.model)),
        status: await merchant('refund'),
      }
    case 'expire':
      return {
        expected: unlessForeign(() => model.expire(payment!.model)),
        status: await merchant('expire'),
      }
    case 'sandboxExpire': {
      const isOff = payment!.store.model.suspended || payment!.mode === 'live'
      const refused = payment!.store.model.suspended ? 403 : 404
      const expected = isOff ? refused : model.expire(payment!.model)
      return { status: await post(url('sandbox', 'expire'), payment!.store.sandbox), expected }
    }
    case 'timePasses':
      if (model.timePasses(payment!.model)) await t.makeOverdue(payment!.id)
      return null
    case 'sweep':
      await sweepOverdue(t.database, t.service.outbox, () => {})
      return null
    case 'topUp':
    case 'withdraw': {
      const amount = it.kind === 'topUp' ? it.amount : -it.amount
      const expected = model.moveWalletMoney(wallet.model, it.currency, amount)
      const path = `/operator/wallets/${wallet.wallet.publicId}/${it.kind === 'topUp' ? 'top-up' : 'withdraw'}`
      const more = { currency: it.currency }
      return { status: await operate(path, it.amount, it.currency, more), expected }
    }
    case 'fund':
    case 'payout': {
      const amount = it.kind === 'fund' ? it.amount : -it.amount
      const expected = model.moveStoreMoney(store.model, it.mode, amount)
      const path = `/operator/stores/${store.store.storeId}/${it.kind}`
      return { status: await operate(path, it.amount, own, { mode: it.mode }), expected }
    }
    case 'setFees': {
      const { feeBps, feeFixed, refundFee } = it
      Object.assign(store.model, { feeBps: BigInt(feeBps), feeFixed, refundFee })
      const body = { fee_fixed: asText(feeFixed, own), refund_fee: asText(refundFee, own) }
      return { status: (await patch(store, { fee_bps: feeBps, ...body })).status, expected: 200 }
    }
    case 'suspend':
      store.model.suspended = it.suspended
      return { status: (await patch(store, { suspended: it.suspended })).status, expected: 200 }
  }
}

const other = (world: World, payment: Payment) =>
  world.stores.find((candidate) => candidate !== payment.store)!

// ── Comparison ─────────────────────────────────────────────────────────────────────────────────

async function compare({ stores, wallets, payments }: World): Promise<void> {
  for (const store of stores) await patch(store, { suspended: false })
  for (const { id, store, mode: of, model: m } of payments) {
    const { data } = (await t.call('GET', `/merchant/payment/${id}`, keysOf(store, of))).body
    const text = (amount: bigint) => asText(amount, store.model.currency)
    expect(data).toMatchObject({
      status: m.status,
      amount: text(m.gross - m.fee),
      transaction_fee: text(m.fee),
      donation_amount: text(m.donation),
      currency: store.model.currency,
      refund: m.refundFee === null ? null : { refund_amount: text(m.gross - m.refundFee) },
    })
  }
  for (const { headers, model: m } of wallets) {
    const { data } = (await t.call('GET', '/wallet/me', headers)).body
    const expected = [...m.balances].map(([code, amount]) => [code, asText(amount, code)])
    const found = data.balances.map((row: Record<string, string>) => [row.currency, row.balance])
    expect(found).toEqual(expected.sort())
  }
  for (const { store, model: m } of stores) {
    const { data } = (await t.call('GET', `/operator/stores/${store.storeId}`, t.operator)).body
    const text = (amount: bigint) => asText(amount, m.currency)
    const expected = MODES.map((of) => {
      const { balance, fees, gifts } = m.books[of]
      return { mode: of, balance: text(balance), fees: text(fees), gifts: text(gifts) }
    })
    expect([...data.balances].sort((a, b) => (a.mode < b.mode ? -1 : 1))).toEqual(expected)
    const [player] = await t.database.query<{ balance: bigint }>(
      'select balance from wallet_balance where wallet_id = $1',
      [store.sandboxWalletId],
    )
    expect(player!.balance).toBe(m.sandboxWallet.balances.get(m.currency) ?? 0n)
  }
  expect(await t.auditFindings()).toEqual([])
}

const RARE_CASES = [
  'create 400',
  'pay 200',
  'pay 402',
  'pay 404',
  'pay 409',
  'pay 410',
  'sandboxPay 200',
  'sandboxPay 409',
  'refund 200',
  'refund 400',
  'payout 400',
]

it('behaves like a simple model, one command after another', async () => {
  const seen = new Map<string, number>()
  const commands = fc.array(command, { minLength: 15, maxLength: 40, size: 'max' })
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const world = await newWorld()
      for (const it of sequence) {
        const done = await act(world, it)
        if (done === null) continue
        expect([it, done.status]).toEqual([it, done.expected])
        const name = `${it.kind} ${done.status}`
        seen.set(name, (seen.get(name) ?? 0) + 1)
      }
      await compare(world)
    }),
    { numRuns: 70 },
  )
  // The random commands must have covered these.
  for (const name of RARE_CASES) expect([name, seen.has(name)]).toEqual([name, true])
}, 180_000)

it('keeps a sound ledger under concurrent commands', async () => {
  const burst = fc.array(command, { minLength: 40, maxLength: 80, size: 'max' })
  await fc.assert(
    fc.asyncProperty(burst, async (sequence) => {
      const world = await newWorld()
      const isCreate = (it: Command) => it.kind === 'create'
      const isSetting = (it: Command) => it.kind === 'setFees' || it.kind === 'topUp'
      for (const it of sequence.filter(isCreate)) await act(world, it)
      for (const it of sequence.filter(isSetting)) await act(world, it)
      const rest = sequence.filter((it) => !isSetting(it) && it.kind !== 'timePasses')
      const dones = await Promise.all(
        rest.map(async (it) => ({ it, status: (await act(world, it))?.status ?? 0 })),
      )
      for (const { it, status } of dones) {
        expect([it, status < 500]).toEqual([it, true])
      }
      const count = (name: Command['kind'], status: number) =>
        dones.filter((done) => done.it.kind === name && done.status === status).length
      for (const store of world.stores) await patch(store, { suspended: false })
      const ids = world.payments.map((payment) => payment.id)
      const rows = await t.database.query<{ status: string; count: number }>(
        'select status, count(*)::int as count from payment where payment_id = any($1) group by 1',
        [ids],
      )
      const stored = (status: string) => rows.find((row) => row.status === status)?.count ?? 0
      expect(stored('refunded')).toBe(count('refund', 200))
      expect(stored('failed')).toBeGreaterThanOrEqual(count('pay', 402))
      expect(stored('expired')).toBe(count('expire', 200) + count('sandboxExpire', 200))
      expect(await t.auditFindings()).toEqual([])
    }),
    { numRuns: 25 },
  )
}, 180_000)

/** A time zone in which it is about noon, so that no limit resets at midnight. */
function zoneOfNoon(): string {
  const hours = 12 - new Date().getUTCHours()
  return hours === 0 ? 'Etc/GMT' : `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}
