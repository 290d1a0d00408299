import { LINE_KINDS } from '@florin/contract/values.js'

type LineKind = (typeof LINE_KINDS)[number]

const INCOMING: readonly LineKind[] = ['payment', 'funding']

/** One line of a store's statement. */
export type StatementLine = {
  readonly at: Date
  readonly reference: string
  readonly kind: LineKind
  readonly amount: bigint
  readonly note: string | null
}

/** The change of the store's balance. */
export const deltaOf = ({ kind, amount }: { kind: LineKind; amount: bigint }): bigint =>
  INCOMING.includes(kind) ? amount : -amount

/** The order of lines with the same time and reference: a payment before its fee. */
export const rankOf = (kind: LineKind): number => LINE_KINDS.indexOf(kind) + 1

export type KindSum = { readonly kind: LineKind; readonly count: number; readonly amount: bigint }

/** The balances and sums of one day of a store. */
export type DayClose = {
  readonly opening: bigint
  readonly closing: bigint
  readonly sums: Readonly<Record<LineKind, { readonly count: number; readonly amount: bigint }>>
}

const NOTHING = { count: 0, amount: 0n }

/** Computes the closes of consecutive days, oldest first, backwards from the closing balance of the last day. */
export function closeDays(
  days: readonly (readonly KindSum[])[],
  closingBalance: bigint,
): readonly DayClose[] {
  let closing = closingBalance
  return days
    .toReversed()
    .map((kindSums) => {
      const opening = kindSums.reduce((balance, sum) => balance - deltaOf(sum), closing)
      const sums = Object.fromEntries(
        LINE_KINDS.map((kind) => [kind, kindSums.find((sum) => sum.kind === kind) ?? NOTHING]),
      ) as DayClose['sums']
      const day = { opening, closing, sums }
      closing = opening
      return day
    })
    .toReversed()
}
