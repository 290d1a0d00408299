import type { Mode } from '../../src/core/ids.ts'

// A simple model of the service, in memory and without concurrency, with amounts in minor units. The tests compare the service
// with it.

export type ModelStore = {
  readonly currency: string
  feeBps: bigint
  feeFixed: bigint
  refundFee: bigint
  readonly dailyLimit: bigint | null
  readonly maxAmount: bigint | null
  suspended: boolean
  readonly books: Record<Mode, { balance: bigint; fees: bigint; gifts: bigint; used: bigint }>
  /** The built-in wallet that pays in the sandbox. */
  readonly sandboxWallet: ModelWallet
}
export type ModelWallet = {
  readonly mode: Mode
  readonly balances: Map<string, bigint>
  failures: number
}
export type ModelPayment = {
  readonly store: ModelStore
  readonly mode: Mode
  readonly gross: bigint
  readonly fee: bigint
  status: 'pending' | 'completed' | 'failed' | 'refunded' | 'expired'
  donation: bigint
  payer: ModelWallet | null
  refundFee: bigint | null
}

const DECIMALS: Record<string, number> = { USD: 2, JPY: 0, KWD: 3 }
export const CURRENCIES = Object.keys(DECIMALS)
/** Exchange rates from the first to the second currency, in ten-thousandths. */
export const RATES: Record<string, bigint> = {
  'JPY/USD': 66n,
  'KWD/USD': 32_450n,
  'USD/JPY': 1_515_152n,
  'KWD/JPY': 4_916_700n,
  'USD/KWD': 3_082n,
  'JPY/KWD': 20n,
}
const unit = (currency: string) => 10n ** BigInt(DECIMALS[currency]!)
const divideHalfUp = (a: bigint, b: bigint) => (a * 2n + b) / (b * 2n)
export const asNumber = (minor: bigint, currency: string) => Number(minor) / Number(unit(currency))
export function asText(minor: bigint, currency: string): string {
  return asNumber(minor, currency).toFixed(Math.max(2, DECIMALS[currency]!))
}

export const newStore = (
  settings: Pick<ModelStore, 'currency' | 'dailyLimit' | 'maxAmount'>,
): ModelStore => ({
  ...settings,
  feeBps: 0n,
  feeFixed: 0n,
  refundFee: 0n,
  suspended: false,
  books: {
    live: { balance: 0n, fees: 0n, gifts: 0n, used: 0n },
    sandbox: { balance: 0n, fees: 0n, gifts: 0n, used: 0n },
  },
  sandboxWallet: newWallet('sandbox'),
})

export const newWallet = (mode: Mode): ModelWallet => ({ mode, balances: new Map(), failures: 0 })

/** Returns the payment, or the HTTP status of the refusal. */
export function create(
  store: ModelStore,
  { mode, amount, currency }: { mode: Mode; amount: bigint; currency: string },
): ModelPayment | number {
  if (store.suspended) return 403
  const rate = currency === store.currency ? 10_000n : RATES[`${currency}/${store.currency}`]!
  const gross = divideHalfUp(amount * rate * unit(store.currency), 10_000n * unit(currency))
  const books = store.books[mode]
  if (gross === 0n) return 400
  if (store.maxAmount !== null && gross > store.maxAmount) return 400
  if (store.dailyLimit !== null && books.used + gross > store.dailyLimit) return 400
  books.used += gross
  const uncapped = divideHalfUp(gross * store.feeBps + store.feeFixed * 10_000n, 10_000n)
  const fee = uncapped > gross ? gross : uncapped
  const status = 'pending'
  return { store, mode, gross, fee, status, donation: 0n, payer: null, refundFee: null }
}

export function pay(payment: ModelPayment, wallet: ModelWallet, donation: bigint | 'bad'): number {
  const { store, gross } = payment
  const balance = wallet.balances.get(store.currency) ?? 0n
  if (wallet.mode !== payment.mode) return 404
  if (payment.status === 'completed' && payment.payer === wallet) return 200
  if (payment.status === 'expired') return 410
  if (payment.status !== 'pending') return 409
  if (store.suspended) return 403
  if (donation === 'bad') return 400
  if (balance < gross) {
    if (wallet.failures >= 3) return 429
    wallet.failures += 1
    release(payment, 'failed')
    return 402
  }
  if (balance < gross + donation) return 400
  settle(payment, wallet, donation)
  return 200
}

export function sandboxPay(payment: ModelPayment, donation: bigint, fails: boolean): number {
  const { store, gross } = payment
  if (store.suspended) return 403
  if (payment.mode === 'live') return 404
  if (payment.status !== 'pending') return 409
  if (fails) {
    release(payment, 'failed')
    return 200
  }
  const { balances } = store.sandboxWallet
  const balance = balances.get(store.currency) ?? 0n
  if (balance < gross + donation) balances.set(store.currency, gross + donation)
  settle(payment, store.sandboxWallet, donation)
  return 200
}

function settle(payment: ModelPayment, wallet: ModelWallet, donation: bigint): void {
  const { store, mode, gross, fee } = payment
  Object.assign(payment, { status: 'completed', donation, payer: wallet })
  move(wallet, store.currency, -gross - donation)
  const books = store.books[mode]
  books.balance += gross - fee
  books.fees += fee
  books.gifts += donation
}

function release(payment: ModelPayment, status: 'failed' | 'expired'): void {
  payment.status = status
  payment.store.books[payment.mode].used -= payment.gross
}

export function refund(payment: ModelPayment): number {
  const { store, mode, gross } = payment
  const books = store.books[mode]
  if (store.suspended) return 403
  if (payment.status !== 'completed') return 400
  const fee = store.refundFee >= gross ? 0n : store.refundFee
  if (books.balance < gross - fee) return 400
  Object.assign(payment, { status: 'refunded', refundFee: fee })
  books.balance -= gross - fee
  const charged = books.balance < fee ? books.balance : fee
  books.balance -= charged
  books.fees += charged
  move(payment.payer!, store.currency, gross - fee)
  return 200
}

export function expire(payment: ModelPayment): number {
  if (payment.store.suspended) return 403
  if (payment.status !== 'pending') return 409
  release(payment, 'expired')
  return 200
}

export function timePasses(payment: ModelPayment): boolean {
  if (payment.status !== 'pending') return false
  release(payment, 'expired')
  return true
}

function move(wallet: ModelWallet, currency: string, amount: bigint): void {
  wallet.balances.set(currency, (wallet.balances.get(currency) ?? 0n) + amount)
}

export function moveWalletMoney(wallet: ModelWallet, currency: string, amount: bigint): number {
  if ((wallet.balances.get(currency) ?? 0n) + amount < 0n) return 400
  move(wallet, currency, amount)
  return 200
}

export function moveStoreMoney(store: ModelStore, mode: Mode, amount: bigint): number {
  if (store.books[mode].balance + amount < 0n) return 400
  store.books[mode].balance += amount
  return 200
}
