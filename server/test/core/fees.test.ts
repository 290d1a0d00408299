import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { refundFee, transactionFee } from '../../src/core/fees.ts'

const runs = { numRuns: 10_000 }
const gross = fc.oneof(fc.bigInt({ min: 1n, max: 10n ** 15n }), fc.bigInt({ min: 1n, max: 2_000n }))
const fixed = fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 15n }), fc.bigInt({ min: 0n, max: 500n }))
const bps = fc.integer({ min: 0, max: 10_000 })

describe('transactionFee', () => {
  it.each([
    [10_000n, 100, 0n, 100n],
    [10_000n, 0, 0n, 0n],
    [10_000n, 290, 30n, 320n],
    [50n, 100, 0n, 1n], // 0.5 is rounded up
    [49n, 100, 0n, 0n],
    [149n, 100, 0n, 1n],
    [150n, 100, 0n, 2n],
    [10n, 100, 30n, 10n], // never above gross
    [1n, 10_000, 0n, 1n],
    [10n, 10_000, 5n, 10n],
  ])('of %s at %s basis points and %s fixed is %s', (grossMinor, feeBps, feeFixedMinor, fee) => {
    expect(transactionFee(grossMinor, { feeBps, feeFixedMinor })).toBe(fee)
  })

  it('is between zero and gross, and within half a unit of the exact fee unless capped', () => {
    fc.assert(
      fc.property(gross, bps, fixed, (grossMinor, feeBps, feeFixedMinor) => {
        const fee = transactionFee(grossMinor, { feeBps, feeFixedMinor })
        expect(fee >= 0n && fee <= grossMinor).toBe(true)
        const exact = grossMinor * BigInt(feeBps) + feeFixedMinor * 10_000n
        const twiceError = 2n * (fee * 10_000n - exact)
        const isCapped = fee === grossMinor && twiceError <= 0n
        expect(isCapped || (-10_000n < twiceError && twiceError <= 10_000n)).toBe(true)
      }),
      runs,
    )
  })

  it('never lowers the net amount when gross grows', () => {
    fc.assert(
      fc.property(gross, gross, bps, fixed, (a, b, feeBps, feeFixedMinor) => {
        const [less, more] = a < b ? [a, b] : [b, a]
        const net = (grossMinor: bigint) =>
          grossMinor - transactionFee(grossMinor, { feeBps, feeFixedMinor })
        expect(net(less) <= net(more)).toBe(true)
      }),
      runs,
    )
  })
})

describe('refundFee', () => {
  it.each([
    [1_000n, 50n, 50n],
    [1_000n, 0n, 0n],
    [1_000n, 999n, 999n],
    [1_000n, 1_000n, 0n],
    [1_000n, 1_001n, 0n],
    [1n, 1n, 0n],
  ])('of %s with the setting %s is %s', (grossMinor, settingMinor, fee) => {
    expect(refundFee(grossMinor, settingMinor)).toBe(fee)
  })

  it('always leaves the payer something, and is the setting or zero', () => {
    fc.assert(
      fc.property(gross, fixed, (grossMinor, settingMinor) => {
        const fee = refundFee(grossMinor, settingMinor)
        expect(fee < grossMinor).toBe(true)
        expect(fee === settingMinor || (fee === 0n && settingMinor >= grossMinor)).toBe(true)
      }),
      runs,
    )
  })
})
