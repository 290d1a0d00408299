import type { CurrencyCode } from './currencies.ts'
import { formatMinor, parseDecimal } from './money.ts'
import { amountMessage, type Problem } from './newPayment.ts'

/** An item that the till sells with one tap. */
type QuickItem = { readonly name: string; readonly priceMinor: bigint }

/** The settings of a store's till. */
export type Till = {
  /** In the order of their buttons. */
  readonly items: readonly QuickItem[]
  /** The tips that the customer can choose from. */
  readonly tipPercentages: readonly number[]
}

/** The till of a store that has not changed it. */
export const NEW_TILL: Till = { items: [], tipPercentages: [] }

/** Settings that passed the schema. Their values are validated here. */
type TillFields = {
  readonly items?: readonly { readonly name: string; readonly price: string }[]
  readonly tip_percentages?: readonly number[]
}

/** Returns the changes and all problems. */
export function validateTill(
  { items, tip_percentages: tipPercentages }: TillFields,
  currency: CurrencyCode,
): { readonly changes: Partial<Till>; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const names = new Set<string>()
  const parsedItems = items?.map(({ name, price }, index) => {
    // A cashier could not tell the buttons of two items with the same name apart.
    if (names.has(name)) {
      problems.push({ field: `items.${index}.name`, message: 'name belongs to another item' })
    }
    names.add(name)
    const minor = parseDecimal(price, currency)
    const message = typeof minor === 'string' ? amountMessage(minor, currency) : null
    if (message !== null || minor === 0n) {
      const reason = message ?? 'must be greater than 0'
      problems.push({ field: `items.${index}.price`, message: `price ${reason}` })
    }
    return { name, priceMinor: typeof minor === 'bigint' ? minor : 0n }
  })
  const changes = {
    ...(parsedItems && { items: parsedItems }),
    ...(tipPercentages && { tipPercentages }),
  }
  return { changes, problems }
}

/** The settings as the API and the audit log show them. */
export const tillFields = ({ items, tipPercentages }: Till, currency: CurrencyCode) => ({
  items: items.map(({ name, priceMinor }) => ({ name, price: formatMinor(priceMinor, currency) })),
  tip_percentages: [...tipPercentages],
})
