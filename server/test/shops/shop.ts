import type { ShopServer } from './shopServer.ts'

/** An order that a customer is about to pay, or has paid. */
export type ShopOrder = {
  /** The code of the order in Vendure; the id of the cart in Medusa. */
  readonly key: string
  readonly paymentId: string
  /** The amount that the shop asks for, as a decimal. */
  readonly total: string
}

export type OrderState = 'unpaid' | 'paid' | 'refunded'

/** What the customer and the shop owner do, through the APIs of the engine. */
export type Shop = {
  readonly server: ShopServer
  /** The fields of Florin's `payload` that identify the order. */
  readonly payloadOf: (order: ShopOrder) => Record<string, string>
  readonly webhookPath: string
  /** For `order.mjs` of the example. */
  readonly exampleEnv: Readonly<Record<string, string>>
  /** Orders tea and creates its payment. */
  order(): Promise<ShopOrder>
  /** Creates the payment of the order again. */
  createPayment(order: ShopOrder): Promise<ShopOrder>
  /** Puts more tea into the cart and creates the payment again. */
  orderMore(order: ShopOrder): Promise<ShopOrder>
  stateOf(order: ShopOrder): Promise<OrderState>
  /** Counts the payments that the shop has recorded for the order. */
  countRecordedPayments(order: ShopOrder): Promise<number>
  /** Refunds from the admin API. Rejects with the message that the shop owner sees. */
  refund(order: ShopOrder, amount: 'full' | 'part'): Promise<void>
}
