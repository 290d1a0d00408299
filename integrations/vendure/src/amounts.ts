/** Converts an integer of Vendure, which has `precision` decimals in every currency, to a decimal string. */
export function toDecimal(value: number, precision: number): string {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new TypeError(`${value} is not an amount: it must be a whole number, 0 or more`)
  }
  const digits = String(value).padStart(precision + 1, '0')
  const whole = digits.slice(0, digits.length - precision)
  return precision === 0 ? whole : `${whole}.${digits.slice(-precision)}`
}

/** Compares decimal strings by value: "5.00" and "5" are equal. */
export function isSameAmount(one: string, other: string): boolean {
  return trimDecimals(one) === trimDecimals(other)
}

function trimDecimals(decimal: string): string {
  const [whole, fraction = ''] = decimal.split('.')
  return `${whole}.${fraction.replace(/0+$/, '')}`
}
