import { decimalsOf } from './currencies.ts'
import { ValidationError } from './errors.ts'

/**
 * A decimal string such as "12.50"; or a bigint in minor units, 1250n; or a number, if it has no more
 * decimals than the currency: 12.5 is accepted, 0.1 + 0.2 is not.
 */
export type Amount = string | number | bigint

type Place = { readonly field: string; readonly currency: string }

/** The decimal text for the request. Uses no arithmetic, so nothing is rounded. */
export function amountText(amount: Amount, { field, currency }: Place): string {
  const decimals = decimalsOf(currency)
  if (typeof amount === 'bigint') return minorText(amount, decimals, { field, currency })
  const text = decimalText(
    amount,
    field,
    'must be a decimal such as "12.50", or a bigint in minor units',
  )
  const fraction = text.split('.')[1] ?? ''
  if (decimals !== undefined && /[1-9]/.test(fraction.slice(decimals))) {
    throw invalid(field, `has more decimals than ${currency}, which has ${decimals}: ${text}`)
  }
  return text
}

/** The decimal text of an amount in an unknown currency. */
export function decimalText(
  amount: string | number,
  field: string,
  problem = 'must be a decimal such as "12.50"',
): string {
  // JavaScript prints the shortest decimal that denotes the number.
  const text = typeof amount === 'number' ? String(amount) : amount
  if (typeof text === 'string' && /^(0|[1-9]\d{0,20})(\.\d{1,30})?$/.test(text)) return text
  throw invalid(field, problem)
}

function minorText(minor: bigint, decimals: number | undefined, { field, currency }: Place) {
  // Don't guess: a wrong number of decimals would change the amount.
  if (decimals === undefined) {
    throw invalid(
      field,
      `must be a decimal string, because the decimals of ${currency} are unknown`,
    )
  }
  if (minor < 0n) throw invalid(field, 'must not be negative')
  if (decimals === 0) return minor.toString()
  const digits = minor.toString().padStart(decimals + 1, '0')
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

export function invalid(field: string, message: string): ValidationError {
  return new ValidationError(`${field} ${message}`, [{ field, message: `${field} ${message}` }])
}
