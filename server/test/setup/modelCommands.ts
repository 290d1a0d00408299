import fc from 'fast-check'
import type { Mode } from '../../src/core/ids.ts'
import { CURRENCIES } from './model.ts'

const index = fc.nat({ max: 40 })
const mode = fc.constantFrom<Mode>('live', 'sandbox')
const currency = fc.constantFrom(...CURRENCIES)
const minor = fc.oneof(
  { weight: 4, arbitrary: fc.bigInt({ min: 1n, max: 5_000n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 1n, max: 60_000n }) },
  { weight: 2, arbitrary: fc.constantFrom(1n, 50n, 100n) },
)
const donation = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0n) },
  { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 3_000n }) },
  { weight: 1, arbitrary: fc.constant('bad' as const) },
)
const constantOf = <K extends string>(name: K) => fc.constant(name)
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary })
// If `stranger` is 0, another store sends the refund or expiry, a wallet of any mode pays, and a sandbox command is for a
// payment of any mode.
const stranger = fc.nat({ max: 9 })
const onPayment = { payment: index, stranger }

/** A random command for the service and the model. `store`, `wallet` and `payment` are indices, modulo the length of the list. */
export const anyCommand = fc.oneof(
  weighted(
    9,
    fc.record({ kind: constantOf('create'), store: index, mode, amount: minor, currency }),
  ),
  weighted(12, fc.record({ kind: constantOf('pay'), ...onPayment, wallet: index, donation })),
  weighted(
    3,
    fc.record({
      kind: constantOf('sandboxPay'),
      ...onPayment,
      outcome: fc.constantFrom('completed', 'completed', 'insufficient_balance', 'error'),
      donation: fc.bigInt({ min: 0n, max: 500n }),
    }),
  ),
  weighted(6, fc.record({ kind: constantOf('refund'), ...onPayment })),
  weighted(1, fc.record({ kind: constantOf('expire'), ...onPayment })),
  weighted(1, fc.record({ kind: constantOf('sandboxExpire'), ...onPayment })),
  weighted(2, fc.record({ kind: constantOf('timePasses'), payment: index })),
  weighted(1, fc.record({ kind: constantOf('sweep') })),
  weighted(2, fc.record({ kind: constantOf('topUp'), wallet: index, currency, amount: minor })),
  weighted(1, fc.record({ kind: constantOf('withdraw'), wallet: index, currency, amount: minor })),
  weighted(1, fc.record({ kind: constantOf('fund'), store: index, mode, amount: minor })),
  weighted(2, fc.record({ kind: constantOf('payout'), store: index, mode, amount: minor })),
  weighted(
    2,
    fc.record({
      kind: constantOf('setFees'),
      store: index,
      feeBps: fc.oneof(fc.nat({ max: 500 }), fc.nat({ max: 10_000 })),
      feeFixed: fc.bigInt({ min: 0n, max: 60n }),
      refundFee: fc.constantFrom(0n, 1n, 50n, 100n, 123n),
    }),
  ),
  weighted(1, fc.record({ kind: constantOf('suspend'), store: index, suspended: fc.boolean() })),
)
export type Command = typeof anyCommand extends fc.Arbitrary<infer C> ? C : never
