import { FlorinError, NotFoundError, type Product, type WebhookEvent } from '@florin/sdk'
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common'
import {
  ConfigService,
  EventBus,
  isGraphQlErrorResult,
  Logger,
  Order,
  OrderService,
  type OrderState,
  OrderStateTransitionEvent,
  type PaymentMethod,
  PaymentMethodService,
  type RequestContext,
  TransactionalConnection,
  totalCoveredByPayments,
  UserInputError,
} from '@vendure/core'
import { toDecimal } from './amounts.js'
import { dueOf, precisionOf } from './handler.js'
import { shortenName } from './names.js'
import { FLORIN_OPTIONS, type FlorinPluginOptions, WEBHOOK_PATH } from './options.js'
import { expireAll, findOrCreate, listPayments, problemOf } from './orderPayments.js'
import { checkoutUrl, connect, HANDLER_CODE, LOG_CONTEXT, settingsOf } from './settings.js'

const MAX_PRODUCTS = 100

@Injectable()
export class FlorinService implements OnApplicationBootstrap {
  @Inject(FLORIN_OPTIONS) private readonly options!: FlorinPluginOptions
  @Inject(ConfigService) private readonly config!: ConfigService
  @Inject(EventBus) private readonly eventBus!: EventBus
  @Inject(OrderService) private readonly orders!: OrderService
  @Inject(PaymentMethodService) private readonly methods!: PaymentMethodService
  @Inject(TransactionalConnection) private readonly connection!: TransactionalConnection

  /**
   * Expires pending payments when the order stops accepting payments: the customer goes back to the cart, or the order is
   * cancelled or paid in another way. Otherwise the customer could pay the old amount, or pay twice.
   */
  onApplicationBootstrap(): void {
    this.eventBus
      .ofType(OrderStateTransitionEvent)
      .subscribe(({ ctx, order, fromState, toState }) => {
        if (this.acceptsPayments(fromState) && !this.acceptsPayments(toState)) {
          void this.expirePending(ctx, order)
        }
      })
  }

  /** Creates the payment of an order, or finds the one that exists, and returns the page where the customer pays. */
  async createPayment(ctx: RequestContext, order: Order, methodCode?: string) {
    if (!this.acceptsPayments(order.state)) {
      throw new UserInputError(
        `Order ${order.code} is ${order.state}. Transition it to ArrangingPayment first.`,
      )
    }
    const method = await this.findEligibleMethod(ctx, order, methodCode)
    const settings = settingsOf(method)
    const payments = await this.orders.getOrderPayments(ctx, order.id)
    const due = this.dueNow(ctx, order, payments)
    const returnUrl = new URL(settings.returnUrl)
    returnUrl.searchParams.set('order', order.code)
    const host = this.options.serverUrl.replace(/\/$/, '')
    try {
      const paymentId = await findOrCreate(connect(settings), due, {
        recorded: new Set(payments.map(({ transactionId }) => transactionId)),
        params: {
          products: this.productsOf(order),
          return_url: returnUrl.href,
          webhook_url: `${host}/${WEBHOOK_PATH}/${encodeURIComponent(ctx.channel.token)}/${encodeURIComponent(method.code)}`,
        },
      })
      return { paymentId, checkoutUrl: checkoutUrl(settings, paymentId) }
    } catch (error) {
      if (!(error instanceof FlorinError)) throw error
      Logger.error(`No payment for order ${order.code}: ${error.message}`, LOG_CONTEXT, error.stack)
      throw new UserInputError(
        'The payment could not be created. Try again, or choose another way to pay.',
      )
    }
  }

  /** Adds a completed payment to its order, once. Other events are logged and ignored. */
  async handleEvent(
    ctx: RequestContext,
    method: PaymentMethod,
    event: WebhookEvent,
  ): Promise<void> {
    const id = event.data.payment_id
    const ignore = (reason: string) =>
      Logger.warn(`${event.type} of ${id} is ignored: ${reason}`, LOG_CONTEXT)
    // Events may be repeated and may arrive in any order, so the current state decides.
    const payment = await connect(settingsOf(method))
      .payments.retrieve(id)
      .catch((error: unknown) => {
        if (error instanceof NotFoundError) return null
        throw error
      })
    if (payment === null) return ignore('the API key of this shop has no such payment')
    if (payment.status !== 'completed') return ignore(`the payment is ${payment.status}`)
    const code = String(payment.payload?.vendure_order ?? '')
    const found = code === '' ? undefined : await this.orders.findOneByCode(ctx, code)
    if (found === undefined) return ignore('this channel has no such order')
    await this.connection.withTransaction(ctx, async (inner) => {
      await this.lock(inner, found)
      const order = (await this.orders.findOne(inner, found.id)) ?? found
      const payments = await this.orders.getOrderPayments(inner, order.id)
      if (payments.some(({ transactionId }) => transactionId === id)) return
      const problem = problemOf(payment, this.dueNow(inner, order, payments))
      if (problem !== null) {
        Logger.error(`${id} is paid, but was not added to an order: ${problem}`, LOG_CONTEXT)
        return
      }
      await this.addPayment(inner, order, { method: method.code, metadata: { payment_id: id } })
    })
  }

  private async addPayment(
    ctx: RequestContext,
    order: Order,
    input: { method: string; metadata: { payment_id: string } },
  ): Promise<void> {
    const id = input.metadata.payment_id
    const refused = `${id} is paid, but order ${order.code} refused it`
    if (!this.acceptsPayments(order.state)) {
      const moved = await this.orders.transitionToState(ctx, order.id, 'ArrangingPayment')
      if (isGraphQlErrorResult(moved)) throw new Error(`${refused}: ${moved.transitionError}`)
    }
    const added = await this.orders.addPaymentToOrder(ctx, order.id, input)
    if (isGraphQlErrorResult(added)) throw new Error(`${refused}: ${added.message}`)
    Logger.info(`${id} paid order ${order.code}`, LOG_CONTEXT)
  }

  /** Follows the rule of Vendure's addPaymentToOrder, which also covers the shop's own states. */
  private acceptsPayments(state: OrderState): boolean {
    const next = this.orders.getNextOrderStates(new Order({ state }))
    return (
      state === 'ArrangingPayment' ||
      (next.includes('PaymentAuthorized') && next.includes('PaymentSettled'))
    )
  }

  private dueNow(ctx: RequestContext, order: Order, payments: Order['payments']) {
    order.payments = payments
    // Zero if the order was paid in another way: then no payment matches.
    const amount = Math.max(0, order.totalWithTax - totalCoveredByPayments(order))
    return dueOf(ctx, order, { amount, precision: precisionOf(this.config) })
  }

  private productsOf(order: Order): Product[] {
    const lines = order.lines.filter(({ quantity }) => quantity > 0)
    if (lines.length > MAX_PRODUCTS) return []
    return lines.map((line) => ({
      name: shortenName(line.productVariant.name),
      quantity: line.quantity,
      price: toDecimal(line.proratedUnitPriceWithTax, precisionOf(this.config)),
    }))
  }

  private async findEligibleMethod(ctx: RequestContext, order: Order, code: string | undefined) {
    const active = await this.methods.getActivePaymentMethods(ctx)
    const method = active.find(
      (candidate) =>
        candidate.handler.code === HANDLER_CODE && (code === undefined || candidate.code === code),
    )
    if (method === undefined) {
      throw new UserInputError(
        code === undefined
          ? 'No Florin payment method is enabled in this channel. Create or enable one in the admin UI.'
          : `No Florin payment method with the code ${code} is enabled in this channel. Check methodCode.`,
      )
    }
    const quotes = await this.methods.getEligiblePaymentMethods(ctx, order)
    const quote = quotes.find((candidate) => candidate.code === method.code)
    if (quote?.isEligible) return method
    throw new UserInputError(quote?.eligibilityMessage ?? 'This payment method is not available.')
  }

  private async expirePending(ctx: RequestContext, order: Order): Promise<void> {
    try {
      const due = { orderCode: order.code, channelToken: ctx.channel.token }
      for (const method of await this.methods.getActivePaymentMethods(ctx)) {
        if (method.handler.code !== HANDLER_CODE) continue
        const florin = connect(settingsOf(method))
        const payments = await listPayments(florin, due)
        // The customer may have returned to the payment in the meantime, and have a new one.
        const current = await this.orders.findOne(ctx, order.id)
        if (current !== undefined && this.acceptsPayments(current.state)) return
        await expireAll(
          florin,
          payments.filter(({ status }) => status === 'pending'),
        )
      }
    } catch (error) {
      // Pending payments expire on their own later.
      Logger.warn(`Payments of order ${order.code} were not expired: ${error}`, LOG_CONTEXT)
    }
  }

  /** Locks the order: the second of two simultaneous deliveries waits, then finds the payment. SQLite has only one writer. */
  private async lock(ctx: RequestContext, { id }: Order): Promise<void> {
    if (/sqlite|sqljs/.test(this.connection.rawConnection.options.type)) return
    await this.connection
      .getRepository(ctx, Order)
      .createQueryBuilder('order')
      .setLock('pessimistic_write')
      .where('order.id = :id', { id })
      .getOne()
  }
}
