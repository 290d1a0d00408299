import { FlorinError, ValidationError } from '@florin/sdk'
import {
  ConfigService,
  LanguageCode,
  Logger,
  PaymentMethodEligibilityChecker,
  totalCoveredByPayments,
} from '@vendure/core'
import { toDecimal } from './amounts.js'
import { precisionOf } from './handler.js'
import { connect, LOG_CONTEXT, settingsOf } from './settings.js'

let config: ConfigService

/** Short, because a customer waits for the list of payment methods. */
const TIMEOUT_MS = 3_000

/** Offers Florin only for amounts and currencies that the store's limits and rates allow now. */
export const florinEligibilityChecker = new PaymentMethodEligibilityChecker({
  code: 'florin-limits',
  description: [{ languageCode: LanguageCode.en, value: 'Amount is within the limits of Florin' }],
  args: {},
  init(injector) {
    config = injector.get(ConfigService)
  },
  async check(ctx, order, _args, method) {
    // Vendure checks again when the webhook records the payment. That must not fail: the customer has paid.
    if (ctx.apiType !== 'shop') return true
    const due = order.totalWithTax - (order.payments ? totalCoveredByPayments(order) : 0)
    if (due <= 0) return 'This order has no amount due.'
    try {
      const { within_limits } = await connect(settingsOf(method)).quote(
        { amount: toDecimal(due, precisionOf(config)), currency: order.currencyCode },
        { timeoutMs: TIMEOUT_MS, maxRetries: 0 },
      )
      return within_limits || 'This amount is outside the limits for this payment method.'
    } catch (error) {
      if (error instanceof ValidationError) {
        return 'This amount or currency is not accepted by this payment method.'
      }
      if (!(error instanceof FlorinError || error instanceof TypeError)) throw error
      Logger.error(`The limits could not be checked: ${error.message}`, LOG_CONTEXT)
      return 'This payment method is not available at the moment.'
    }
  },
})
