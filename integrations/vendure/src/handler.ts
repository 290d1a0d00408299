import { FlorinError } from '@florin/sdk'
import {
  ConfigService,
  LanguageCode,
  Logger,
  type Order,
  PaymentMethodHandler,
  type RequestContext,
  UserInputError,
} from '@vendure/core'
import { toDecimal } from './amounts.js'
import { type Due, problemOf, refundOnce } from './orderPayments.js'
import { connect, HANDLER_CODE, LOG_CONTEXT, settingsForm } from './settings.js'

let config: ConfigService

/** How many decimals Vendure's integer amounts have: the same number in every currency. */
export const precisionOf = (service: ConfigService): number =>
  service.entityOptions.moneyStrategy.precision ?? 2

export function dueOf(
  ctx: RequestContext,
  order: Order,
  { amount, precision }: { amount: number; precision: number },
): Due {
  return {
    orderCode: order.code,
    channelToken: ctx.channel.token,
    amount: toDecimal(amount, precision),
    currency: order.currencyCode,
  }
}

export const florinPaymentHandler = new PaymentMethodHandler({
  code: HANDLER_CODE,
  description: [{ languageCode: LanguageCode.en, value: 'Florin: payments by QR code' }],
  args: settingsForm,
  init(injector) {
    config = injector.get(ConfigService)
  },

  /** Records a payment that Florin has completed. The webhook calls it, not the storefront. */
  async createPayment(ctx, order, amount, settings, metadata) {
    if (ctx.apiType !== 'admin') {
      throw new UserInputError(
        'Call createFlorinPayment. The payment is added to the order when the customer has paid.',
      )
    }
    const payment = await connect(settings).payments.retrieve(String(metadata.payment_id))
    const problem = problemOf(
      payment,
      dueOf(ctx, order, { amount, precision: precisionOf(config) }),
    )
    if (problem !== null) {
      throw new UserInputError(`${payment.payment_id} was not added to the order: ${problem}`)
    }
    return {
      amount,
      state: 'Settled',
      transactionId: payment.payment_id,
      metadata: { is_sandbox: payment.is_sandbox_transaction },
    }
  },

  settlePayment: () => ({ success: true }),

  async createRefund(_ctx, _input, amount, order, payment, settings) {
    const text = (value: number) => `${toDecimal(value, precisionOf(config))} ${order.currencyCode}`
    if (amount !== payment.amount) {
      throw new UserInputError(
        `Florin refunds payments in full: refund ${text(payment.amount)}, not ${text(amount)}. Nothing was refunded.`,
      )
    }
    try {
      const refund = await refundOnce(connect(settings), payment.transactionId)
      const { refund_amount, refund_fee } = refund
      return {
        state: 'Settled',
        transactionId: payment.transactionId,
        metadata: { refund_amount, refund_fee },
      }
    } catch (error) {
      if (!(error instanceof FlorinError)) throw error
      Logger.error(
        `The refund of ${payment.transactionId} is not confirmed: ${error.message}`,
        LOG_CONTEXT,
        error.stack,
      )
      throw new UserInputError(
        `Florin did not confirm the refund. You can try again: the customer is not refunded twice. Reason: ${error.message}`,
      )
    }
  },
})
