import { RATE_ONE } from '../../src/core/money.ts'
import type { NewPayment } from '../../src/core/payment.ts'
import { USD } from './testService.ts'

/** A payment of this many cents for `createPayments`, without a fee and without the optional fields. */
export const newPayment = (gross: bigint): NewPayment => ({
  gross,
  fee: 0n,
  currency: USD,
  requestAmount: gross,
  requestCurrency: USD,
  conversionRate: RATE_ONE,
  client: null,
  products: [],
  payload: null,
  referenceId: null,
  referenceNote: null,
  webhookUrl: null,
  returnUrl: null,
  expiresInSeconds: 900,
})
