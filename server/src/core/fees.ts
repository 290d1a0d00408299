import { divideHalfUp } from './money.ts'

export type FeeTerms = { readonly feeBps: number; readonly feeFixedMinor: bigint }

const BPS_ONE = 10_000n

/** Both parts are added before the one rounding. A fee above gross would make the net negative. */
export function transactionFee(grossMinor: bigint, terms: FeeTerms): bigint {
  const exactTimesOne = grossMinor * BigInt(terms.feeBps) + terms.feeFixedMinor * BPS_ONE
  const feeMinor = divideHalfUp(exactTimesOne, BPS_ONE)
  return feeMinor > grossMinor ? grossMinor : feeMinor
}

/** Waived where it would eat the whole refund, because a refund of nothing helps nobody. */
export function refundFee(grossMinor: bigint, settingMinor: bigint): bigint {
  return settingMinor >= grossMinor ? 0n : settingMinor
}
