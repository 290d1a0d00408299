import { divideHalfUp } from './money.ts'

type FeeTerms = { readonly feeBps: number; readonly feeFixedMinor: bigint }

const BPS_SCALE = 10_000n

/** Rounds once, after adding both parts. Capped at gross, because the net must not be negative. */
export function transactionFee(grossMinor: bigint, terms: FeeTerms): bigint {
  const scaledFeeMinor = grossMinor * BigInt(terms.feeBps) + terms.feeFixedMinor * BPS_SCALE
  const feeMinor = divideHalfUp(scaledFeeMinor, BPS_SCALE)
  return feeMinor > grossMinor ? grossMinor : feeMinor
}

/** Waived if it would leave the payer nothing. */
export function refundFee(grossMinor: bigint, settingMinor: bigint): bigint {
  return settingMinor >= grossMinor ? 0n : settingMinor
}
