import { Inject } from '@nestjs/common'
import { Args, Mutation, Resolver } from '@nestjs/graphql'
import {
  ActiveOrderService,
  Allow,
  Ctx,
  OrderService,
  Permission,
  type RequestContext,
  UserInputError,
} from '@vendure/core'
import { parse } from 'graphql'
import { FlorinService } from './service.js'

export const shopApi = parse(`
  type FlorinPayment {
    paymentId: String!
    "The page where the customer pays."
    checkoutUrl: String!
  }

  extend type Mutation {
    """
    Creates the payment of the active order, which must be in a state that accepts payments, such as ArrangingPayment.
    Safe to retry: while it is pending, the same order and amount give the same payment. Pass \`methodCode\` if there are
    several Florin payment methods.
    """
    createFlorinPayment(methodCode: String): FlorinPayment!
  }
`)

@Resolver()
export class FlorinResolver {
  @Inject(FlorinService) private readonly service!: FlorinService
  @Inject(ActiveOrderService) private readonly activeOrders!: ActiveOrderService
  @Inject(OrderService) private readonly orders!: OrderService

  @Mutation()
  @Allow(Permission.Owner)
  async createFlorinPayment(
    @Ctx() ctx: RequestContext,
    @Args() { methodCode }: { methodCode?: string },
  ) {
    const active = await this.activeOrders.getActiveOrder(ctx, undefined)
    const order = active && (await this.orders.findOne(ctx, active.id))
    if (!order) throw new UserInputError('There is no active order.')
    return this.service.createPayment(ctx, order, methodCode ?? undefined)
  }
}
