import { type CurrencyCode, currencyProblem, parseCurrency } from '../core/currencies.ts'
import type { Mode } from '../core/ids.ts'
import type { Period } from '../core/limits.ts'
import { parseDecimal, RATE_ONE } from '../core/money.ts'
import { amountMessage, type Problem, type Quote, quote } from '../core/newPayment.ts'
import type { Store } from '../core/store.ts'
import type { Database } from '../database/database.ts'
import type { Outbox } from './events.ts'
import { readUsage } from './usage.ts'

type Rates = {
  readonly get: (
    pair: `${CurrencyCode}/${CurrencyCode}`,
  ) => Promise<{ readonly rate: bigint } | null>
}

type QuoteRequest = {
  readonly store: Store
  readonly mode: Mode
  readonly amount: string
  readonly currency: string
}

type QuoteResult =
  | { readonly problem: Problem }
  | { readonly quote: Quote; readonly used: Record<Period, bigint> }

/** Computes the gross and the fee of a payment at the current rate, and the used part of the limits. */
export async function quotePayment(
  database: Database,
  outbox: Outbox,
  rates: Rates,
  { store, mode, ...request }: QuoteRequest,
): Promise<QuoteResult> {
  const problemOf = (field: string, message: string) => ({
    problem: { field, message: `${field} ${message}` },
  })
  const currency = parseCurrency(request.currency)
  if (currency === null) {
    return { problem: { field: 'currency', message: currencyProblem(request.currency) } }
  }
  const amount = parseDecimal(request.amount, currency)
  if (typeof amount !== 'bigint') return problemOf('amount', amountMessage(amount, currency))
  if (amount === 0n) return problemOf('amount', 'must be greater than 0')
  const rate =
    currency === store.currency
      ? RATE_ONE
      : (await rates.get(`${currency}/${store.currency}`))?.rate
  if (rate === undefined) return problemOf('currency', `cannot be converted to ${store.currency}`)
  const quoted = quote(store, amount, currency, rate)
  if ('problem' in quoted) return { problem: { field: 'amount', message: quoted.problem } }
  return { quote: quoted, used: await readUsage(database, outbox, store, mode) }
}
