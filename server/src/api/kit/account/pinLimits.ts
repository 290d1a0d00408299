import type { PinLimitBody } from '@florin/contract/walletAccount.js'
import { type CurrencyCode, parseCurrency } from '../../../core/currencies.ts'
import { parseDecimal } from '../../../core/money.ts'
import { type FieldProblem, problemOf } from '../http/validation.ts'

/** Parses a limit. Null if it reported a problem. */
export function parsePinLimit(
  body: PinLimitBody,
  prefix: string,
  problems: FieldProblem[],
): { readonly currency: CurrencyCode; readonly amount: bigint | null } | null {
  const currency = parseCurrency(body.currency)
  if (currency === null) {
    const field = `${prefix}currency`
    problems.push(problemOf(field, 'must be an ISO 4217 code in upper case, such as USD'))
    return null
  }
  const amount = body.amount === null ? null : parseDecimal(body.amount, currency)
  if (amount === null || typeof amount === 'bigint') return { currency, amount }
  const field = `${prefix}amount`
  problems.push(problemOf(field, `must be an amount in ${currency}, such as "50.00"`))
  return null
}
