import type { CurrencyCode } from '../core/currencies.ts'
import type { Mode } from '../core/ids.ts'
import type { Period } from '../core/limits.ts'
import { parseDecimal } from '../core/money.ts'
import {
  amountMessage,
  createChecks,
  foreignCurrency,
  type Problem,
  type Quote,
  quote,
  validateCurrency,
} from '../core/newPayment.ts'
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
  /** Fields that failed the schema. They are not validated. */
  readonly invalidFields: ReadonlySet<string>
}

type QuoteResult =
  | { readonly problems: readonly Problem[] }
  | { readonly quote: Quote; readonly used: Record<Period, bigint> }

/** Computes the gross and the fee of a payment at the current rate, and the used part of the limits. */
export async function quotePayment(
  database: Database,
  outbox: Outbox,
  rates: Rates,
  { store, mode, ...request }: QuoteRequest,
): Promise<QuoteResult> {
  const checks = createChecks(request.invalidFields)
  const { isValid, add, problems } = checks
  const foreign = foreignCurrency(request, store)
  const found = foreign && (await rates.get(`${foreign}/${store.currency}`))
  const terms = { store, rate: found?.rate ?? null }
  const { currency, rate } = validateCurrency(request.currency, terms, checks)
  const amount = isValid('amount') ? parseDecimal(request.amount, currency) : null
  if (typeof amount === 'string') add('amount', `amount ${amountMessage(amount, currency)}`)
  if (amount === 0n) add('amount', 'amount must be greater than 0')
  if (typeof amount !== 'bigint' || amount === 0n || currency === null || rate === null) {
    return { problems }
  }
  const quoted = quote(store, amount, currency, rate)
  if ('problem' in quoted) return { problems: [{ field: 'amount', message: quoted.problem }] }
  return { quote: quoted, used: await readUsage(database, outbox, store, mode) }
}
