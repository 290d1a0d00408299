import type { TillSettings } from '@florin/contract/till.js'
import type { CurrencyCode } from '@florin/server/core/currencies.js'
import { divideHalfUp, formatMinor, isTooLarge } from '@florin/server/core/money.js'
import { addAmounts, minorOf } from '../kit/amounts.ts'
import { isAboveZero } from '../kit/typedAmount.ts'

/** Items of a sale. The price is that of one unit. */
export type Line = { readonly name: string; readonly price: string; readonly quantity: number }

export type Tip = { readonly percent: number; readonly amount: string }

type QuickItem = TillSettings['items'][number]

/** A sale before it is charged: items, and an amount typed on the keypad. */
export type Basket = { readonly typed: string; readonly lines: readonly Line[] }

const MAX_QUANTITY = 999

const isSame = (a: QuickItem, b: QuickItem) => a.name === b.name && a.price === b.price

/** How many of an item are in the sale. */
export const countOf = (lines: readonly Line[], item: QuickItem): number =>
  lines.find((line) => isSame(line, item))?.quantity ?? 0

/** Adds or removes one unit of an item. A new item is added at the end; one with quantity zero is removed. */
export function changeQuantity(
  lines: readonly Line[],
  item: QuickItem,
  change: 1 | -1,
): readonly Line[] {
  const quantity = Math.min(countOf(lines, item) + change, MAX_QUANTITY)
  const changed = { name: item.name, price: item.price, quantity }
  if (!lines.some((line) => isSame(line, item))) return quantity > 0 ? [...lines, changed] : lines
  return lines
    .map((line) => (isSame(line, item) ? changed : line))
    .filter((line) => line.quantity > 0)
}

const toAmount = (minor: bigint, currency: string) => formatMinor(minor, currency as CurrencyCode)

export const lineSum = ({ price, quantity }: Line, currency: string): string =>
  toAmount(minorOf(price, currency) * BigInt(quantity), currency)

/** The sum of the items and the typed amount, which can be empty or end with the decimal point. */
export function totalOf({ typed, lines }: Basket, currency: string): string {
  return addAmounts(currency, typed, ...lines.map((line) => lineSum(line, currency)))
}

/** Whether a payment can't have this amount. Items can add up to more than the keypad accepts. */
export const isTooLargeToCharge = (total: string, currency: string): boolean =>
  isTooLarge(minorOf(total, currency), currency as CurrencyCode)

/** The tips for an amount, rounded half up. A tip that rounds to zero is left out. */
export const tipsOf = (
  amount: string,
  percentages: readonly number[],
  currency: string,
): readonly Tip[] =>
  percentages
    .map((percent) => {
      const minor = divideHalfUp(minorOf(amount, currency) * BigInt(percent), 100n)
      return { percent, amount: toAmount(minor, currency) }
    })
    .filter((tip) => isAboveZero(tip.amount))

export const addTip = (total: string, tip: Tip | null, currency: string): string =>
  tip === null ? total : addAmounts(currency, total, tip.amount)

type Names = { readonly custom: string; readonly tip: string }

/** The lines of the receipt, which add up to the amount. A sale that is only an amount has none. */
export function productsOf(
  { typed, lines }: Basket,
  tip: Tip | null,
  names: Names,
  currency: string,
): readonly Line[] {
  if (lines.length === 0 && tip === null) return []
  const single = (name: string, price: string): Line => ({ name, price, quantity: 1 })
  const custom = addAmounts(currency, typed)
  return [
    ...lines,
    ...(isAboveZero(custom) ? [single(names.custom, custom)] : []),
    ...(tip === null ? [] : [single(names.tip, tip.amount)]),
  ]
}
