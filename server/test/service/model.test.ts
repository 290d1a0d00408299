import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CurrencyCode } from '../../src/core/currencies.ts'
import type { Mode } from '../../src/core/ids.ts'
import { MODES } from '../../src/core/ids.ts'
import { sweepOverdue } from '../../src/ops/expirePayments.ts'
import { setRate } from '../../src/ops/rates.ts'
import * as model from '../setup/model.ts'
import { asNumber, asText, CURRENCIES } from '../setup/model.ts'
import { anyCommand, type Command } from '../setup/modelCommands.ts'
import { isSoak, LONG, SEED } from '../setup/soak.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../setup/testService.ts'
import { zoneOfNoon } from '../setup/timeZones.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
  for (const [pair, rate] of Object.entries(model.RATES)) {
    const [from, to] = pair.split('/') as [CurrencyCode, CurrencyCode]
    await setRate(t.database, { name: 'test', requestId: null }, { from, to, rate })
  }
})
afterAll(() => t.close())

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
    const created = await t.createStore({
      currency: settings.currency as CurrencyCode,
      dailyLimitMinor: settings.dailyLimit,
      maxAmountMinor: settings.maxAmount,
      timeZone: zoneOfNoon(),
    })
    stores.push({ ...created, model: model.newStore(settings) })
  }
  const wallets: Wallet[] = []
  for (const walletMode of [...MODES, ...MODES]) {
    const created = await t.createWallet({ mode: walletMode })
    wallets.push({ ...created, model: model.newWallet(walletMode) })
  }
  const world = { stores, wallets, payments: [] }
  // Two wallets have money, two don't.
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

type Outcome = { status: number; expected: number }

/** Runs a command on the service and on the model. Null if there is no response to compare. */
async function act(world: World, command: Command): Promise<Outcome | null> {
  const post = async (url: string, headers: Headers, body?: unknown) =>
    (await t.call('POST', url, headers, body)).status
  const store = 'store' in command ? pick(world.stores, command.store)! : world.stores[0]!
  const isStranger = 'stranger' in command && command.stranger === 0
  const isSandboxCommand = command.kind === 'sandboxPay' || command.kind === 'sandboxExpire'
  const candidates = world.payments.filter(
    (candidate) => !isSandboxCommand || isStranger || candidate.mode === 'sandbox',
  )
  const payment = 'payment' in command ? pick(candidates, command.payment) : undefined
  if ('payment' in command && payment === undefined) return null
  const fitting = world.wallets.filter(
    ({ model: modelState }) =>
      command.kind !== 'pay' || isStranger || modelState.mode === payment!.mode,
  )
  const wallet = 'wallet' in command ? pick(fitting, command.wallet)! : world.wallets[0]!
  const { currency: ownCurrency } = (payment?.store ?? store).model
  const operate = (path: string, amount: bigint, code: string, fields: object) =>
    post(path, t.operator, { ...fields, amount: asText(amount, code) })
  const sender = isStranger && !isSandboxCommand ? otherStore(world, payment!) : payment?.store
  const url = (side: string, verb: string) => `/${side}/payment/${payment!.id}/${verb}`
  const merchant = (verb: string) => post(url('merchant', verb), keysOf(sender!, payment!.mode))
  const unlessOtherStore = (expected: () => number) =>
    sender === payment!.store ? expected() : sender!.model.suspended ? 403 : 404

  switch (command.kind) {
    case 'create': {
      const created = model.create(store.model, command)
      const body = {
        amount: asNumber(command.amount, command.currency),
        currency: command.currency,
      }
      const keys = keysOf(store, command.mode)
      const response = await t.call('POST', '/merchant/payment/create', keys, body)
      if (typeof created === 'number') return { status: response.status, expected: created }
      const data = response.body.data ?? {}
      world.payments.push({
        id: data.payment_id,
        qr: data.qr_code,
        store,
        mode: command.mode,
        model: created,
      })
      return { status: response.status, expected: 200 }
    }
    case 'pay': {
      const donation =
        command.donation === 'bad' ? 0.00001 : asNumber(command.donation, ownCurrency)
      const body = command.donation === 0n ? undefined : { donation_amount: donation }
      const expected = model.pay(payment!.model, wallet.model, command.donation)
      const status = await post(`/wallet/payment/${payment!.qr}/pay`, wallet.headers, body)
      return { status, expected }
    }
    case 'sandboxPay': {
      const fails = command.outcome !== 'completed'
      const expected = model.sandboxPay(payment!.model, command.donation, fails)
      const body = {
        outcome: command.outcome,
        donation_amount: asNumber(command.donation, ownCurrency),
      }
      return { status: await post(url('sandbox', 'pay'), payment!.store.sandbox, body), expected }
    }
    case 'refund':
      return {
        expected: unlessOtherStore(() => model.refund(payment!.model)),
        status: await merchant('refund'),
      }
    case 'expire':
      return {
        expected: unlessOtherStore(() => model.expire(payment!.model)),
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
      const amount = command.kind === 'topUp' ? command.amount : -command.amount
      const expected = model.moveWalletMoney(wallet.model, command.currency, amount)
      const path = `/operator/wallets/${wallet.wallet.publicId}/${command.kind === 'topUp' ? 'top-up' : 'withdraw'}`
      const fields = { currency: command.currency }
      return { status: await operate(path, command.amount, command.currency, fields), expected }
    }
    case 'fund':
    case 'payout': {
      const amount = command.kind === 'fund' ? command.amount : -command.amount
      const expected = model.moveStoreMoney(store.model, command.mode, amount)
      const path = `/operator/stores/${store.store.storeId}/${command.kind}`
      return {
        status: await operate(path, command.amount, ownCurrency, { mode: command.mode }),
        expected,
      }
    }
    case 'setFees': {
      const { feeBps, feeFixed, refundFee } = command
      Object.assign(store.model, { feeBps: BigInt(feeBps), feeFixed, refundFee })
      const response = await patch(store, {
        fee_bps: feeBps,
        fee_fixed: asText(feeFixed, ownCurrency),
        refund_fee: asText(refundFee, ownCurrency),
      })
      return { status: response.status, expected: 200 }
    }
    case 'suspend':
      store.model.suspended = command.suspended
      return {
        status: (await patch(store, { suspended: command.suspended })).status,
        expected: 200,
      }
  }
}

const otherStore = (world: World, payment: Payment) =>
  world.stores.find((candidate) => candidate !== payment.store)!

// ── Comparison ─────────────────────────────────────────────────────────────────────────────────

async function compare({ stores, wallets, payments }: World): Promise<void> {
  for (const store of stores) await patch(store, { suspended: false })
  for (const { id, store, mode: ofMode, model: modelState } of payments) {
    const { data } = (await t.call('GET', `/merchant/payment/${id}`, keysOf(store, ofMode))).body
    const text = (amount: bigint) => asText(amount, store.model.currency)
    expect(data).toMatchObject({
      status: modelState.status,
      amount: text(modelState.gross - modelState.fee),
      transaction_fee: text(modelState.fee),
      donation_amount: text(modelState.donation),
      currency: store.model.currency,
      refund:
        modelState.refundFee === null
          ? null
          : { refund_amount: text(modelState.gross - modelState.refundFee) },
    })
  }
  for (const { headers, model: modelState } of wallets) {
    const { data } = (await t.call('GET', '/wallet/me', headers)).body
    const expected = [...modelState.balances].map(([code, amount]) => [code, asText(amount, code)])
    const found = data.balances.map((row: Record<string, string>) => [row.currency, row.balance])
    expect(found).toEqual(expected.sort())
  }
  for (const { store, model: modelState } of stores) {
    const { data } = (await t.call('GET', `/operator/stores/${store.storeId}`, t.operator)).body
    const text = (amount: bigint) => asText(amount, modelState.currency)
    const expected = MODES.map((ofMode) => {
      const { balance, fees, gifts } = modelState.books[ofMode]
      return { mode: ofMode, balance: text(balance), fees: text(fees), gifts: text(gifts) }
    })
    expect([...data.balances].sort((a, b) => (a.mode < b.mode ? -1 : 1))).toEqual(expected)
    const [sandboxWallet] = await t.database.query<{ balance: bigint }>(
      'select balance from wallet_balance where wallet_id = $1',
      [store.sandboxWalletId],
    )
    expect(sandboxWallet!.balance).toBe(
      modelState.sandboxWallet.balances.get(modelState.currency) ?? 0n,
    )
  }
  expect(await t.auditFindings()).toEqual([])
}

const REQUIRED_CASES = [
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

it('behaves like a simple model, one command after another', LONG, async () => {
  const counts = new Map<string, number>()
  const commands = fc.array(anyCommand, { minLength: 30, maxLength: 80, size: 'max' })
  await fc.assert(
    fc.asyncProperty(commands, async (sequence) => {
      const world = await newWorld()
      for (const command of sequence) {
        const outcome = await act(world, command)
        if (outcome === null) continue
        expect([command, outcome.status]).toEqual([command, outcome.expected])
        const name = `${command.kind} ${outcome.status}`
        counts.set(name, (counts.get(name) ?? 0) + 1)
      }
      await compare(world)
    }),
    { numRuns: isSoak ? 350 : 12, seed: SEED },
  )
  // The random commands must have covered these cases.
  for (const name of REQUIRED_CASES) expect([name, counts.has(name)]).toEqual([name, true])
})

it('keeps a sound ledger under concurrent commands', LONG, async () => {
  const burst = fc.array(anyCommand, { minLength: 40, maxLength: 80, size: 'max' })
  await fc.assert(
    fc.asyncProperty(burst, async (sequence) => {
      const world = await newWorld()
      const isCreate = (command: Command) => command.kind === 'create'
      const isSetup = (command: Command) => command.kind === 'setFees' || command.kind === 'topUp'
      for (const command of sequence.filter(isCreate)) await act(world, command)
      for (const command of sequence.filter(isSetup)) await act(world, command)
      const rest = sequence.filter((command) => !isSetup(command) && command.kind !== 'timePasses')
      const outcomes = await Promise.all(
        rest.map(async (command) => ({
          command,
          status: (await act(world, command))?.status ?? 0,
        })),
      )
      for (const { command, status } of outcomes) {
        expect([command, status < 500]).toEqual([command, true])
      }
      const count = (name: Command['kind'], status: number) =>
        outcomes.filter((outcome) => outcome.command.kind === name && outcome.status === status)
          .length
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
    { numRuns: isSoak ? 250 : 8, seed: SEED },
  )
})
