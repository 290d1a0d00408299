import type {
  Balance,
  CreatedPayment,
  CreateLinkParams,
  CreateParams,
  EventListParams,
  Link,
  LinkListParams,
  ListParams,
  Payment,
  PaymentWebhook,
  QrParams,
  Quote,
  QuoteParams,
  Redelivered,
  RedeliveredEvents,
  Refund,
  SandboxPayParams,
  StatusOf,
  Store,
  StoredEvent,
  TimeWindow,
  UpdateLinkParams,
} from '../src/index.ts'

/** Compares an operation of the document with the SDK's types; true if they match. */
export type Agreement<Operations> = {
  createPayment: Same<Answer<Operations, 'createPayment'>, CreatedPayment> &
    Same<Body<Operations, 'createPayment'>, Wire<CreateParams>>
  getPayment: Same<Answer<Operations, 'getPayment'>, Payment>
  getPaymentStatus: Same<Answer<Operations, 'getPaymentStatus'>, StatusOf> &
    Same<Query<Operations, 'getPaymentStatus'>, { wait?: number }>
  refundPayment: Same<Answer<Operations, 'refundPayment'>, Refund>
  listPayments: Same<
    Answer<Operations, 'listPayments'>,
    { payments: Payment[]; next_cursor: string | null }
  > &
    Same<Query<Operations, 'listPayments'>, Texts<ListParams>>
  expirePayment: Same<Answer<Operations, 'expirePayment'>, StatusOf>
  getQrImage: Same<Query<Operations, 'getQrImage'>, Texts<QrParams>>
  createLink: Same<Answer<Operations, 'createLink'>, Link> &
    Same<Body<Operations, 'createLink'>, Wire<CreateLinkParams>>
  listLinks: Same<Answer<Operations, 'listLinks'>, { links: Link[]; next_cursor: string | null }> &
    Same<
      Query<Operations, 'listLinks'>,
      Omit<LinkListParams, 'active'> & { active?: 'true' | 'false' }
    >
  getLink: Same<Answer<Operations, 'getLink'>, Link>
  changeLink: Same<Answer<Operations, 'changeLink'>, Link> &
    Same<Body<Operations, 'changeLink'>, Wire<UpdateLinkParams>>
  getLinkQrImage: Same<Query<Operations, 'getLinkQrImage'>, Texts<QrParams>>
  getBalance: Same<Answer<Operations, 'getBalance'>, Balance>
  getQuote: Same<Answer<Operations, 'getQuote'>, Quote> &
    Same<Query<Operations, 'getQuote'>, Texts<QuoteParams>>
  getStore: Same<Answer<Operations, 'getStore'>, Store>
  listPaymentWebhooks: Same<Answer<Operations, 'listPaymentWebhooks'>, { events: PaymentWebhook[] }>
  redeliverWebhook: Same<Answer<Operations, 'redeliverWebhook'>, Redelivered>
  listEvents: Same<
    Answer<Operations, 'listEvents'>,
    { events: StoredEvent[]; next_cursor: string | null }
  > &
    Same<Query<Operations, 'listEvents'>, Texts<EventListParams>>
  redeliverEvents: Same<Answer<Operations, 'redeliverEvents'>, RedeliveredEvents> &
    Same<Body<Operations, 'redeliverEvents'>, Wire<TimeWindow>>
  sandboxPay: Same<Answer<Operations, 'sandboxPay'>, StatusOf> &
    Same<
      Body<Operations, 'sandboxPay'>,
      Wire<Omit<SandboxPayParams, 'donation_amount'> & { donation_amount?: number | null }>
    >
  sandboxExpire: Same<Answer<Operations, 'sandboxExpire'>, StatusOf>
}

type Of<Operations, Name> = Operations[Name & keyof Operations]

type Answer<Operations, Name> =
  Of<Operations, Name> extends {
    responses: { 200: { content: { 'application/json': { data: infer Data } } } }
  }
    ? Data
    : 'no answer'

type Body<Operations, Name> =
  Of<Operations, Name> extends { requestBody?: { content: { 'application/json': infer Sent } } }
    ? Sent
    : 'no body'

type Query<Operations, Name> =
  Of<Operations, Name> extends { parameters: { query?: infer Asked } } ? Asked : 'no query'

/** Parameters as sent: amounts are JSON numbers, times are text. */
type Wire<T> = unknown extends T
  ? T
  : null extends T
    ? Wire<Exclude<T, null>> | null
    : bigint extends T
      ? number
      : Date extends T
        ? string
        : WireOfEach<T>
type WireOfEach<T> = T extends readonly (infer Item)[]
  ? Wire<Item>[]
  : T extends object
    ? { [Name in keyof T]: Wire<T[Name]> }
    : T

/** In a query, amounts and times are text. */
type Texts<T> = {
  [Name in keyof T]: T[Name] extends number | bigint | Date | string | undefined
    ? Text<T[Name]>
    : never
}
type Text<T> = bigint extends T ? string : Date extends T ? string : T

/** Identical, not just assignable: the same fields, each optional in both types or in neither. */
type Same<A, B> =
  (<T>() => T extends Plain<A> ? 1 : 2) extends <T>() => T extends Plain<B> ? 1 : 2 ? true : false

/** Removes readonly and merges intersections into one object. */
type Plain<T> = T extends readonly (infer Item)[]
  ? Plain<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Plain<T[Name]> }
    : T
