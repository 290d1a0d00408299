import type {
  Balance,
  CreatedPayment,
  CreateLinkParams,
  CreateParams,
  CurrentStatus,
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
  Store,
  StoredEvent,
  TimeWindow,
  UpdateLinkParams,
} from '../src/index.ts'

/** Compares each operation of the OpenAPI document with the SDK's types; true if they match. */
export type Agreement<Operations> = {
  createPayment: Same<ResponseData<Operations, 'createPayment'>, CreatedPayment> &
    Same<Body<Operations, 'createPayment'>, Wire<CreateParams>>
  getPayment: Same<ResponseData<Operations, 'getPayment'>, Payment>
  getPaymentStatus: Same<ResponseData<Operations, 'getPaymentStatus'>, CurrentStatus> &
    Same<Query<Operations, 'getPaymentStatus'>, { wait?: number }>
  refundPayment: Same<ResponseData<Operations, 'refundPayment'>, Refund>
  listPayments: Same<
    ResponseData<Operations, 'listPayments'>,
    { payments: Payment[]; next_cursor: string | null }
  > &
    Same<Query<Operations, 'listPayments'>, Texts<ListParams>>
  expirePayment: Same<ResponseData<Operations, 'expirePayment'>, CurrentStatus>
  getQrImage: Same<Query<Operations, 'getQrImage'>, Texts<QrParams>>
  createLink: Same<ResponseData<Operations, 'createLink'>, Link> &
    Same<Body<Operations, 'createLink'>, Wire<CreateLinkParams>>
  listLinks: Same<
    ResponseData<Operations, 'listLinks'>,
    { links: Link[]; next_cursor: string | null }
  > &
    Same<
      Query<Operations, 'listLinks'>,
      Omit<LinkListParams, 'active'> & { active?: 'true' | 'false' }
    >
  getLink: Same<ResponseData<Operations, 'getLink'>, Link>
  changeLink: Same<ResponseData<Operations, 'changeLink'>, Link> &
    Same<Body<Operations, 'changeLink'>, Wire<UpdateLinkParams>>
  getLinkQrImage: Same<Query<Operations, 'getLinkQrImage'>, Texts<QrParams>>
  getBalance: Same<ResponseData<Operations, 'getBalance'>, Balance>
  getQuote: Same<ResponseData<Operations, 'getQuote'>, Quote> &
    Same<Query<Operations, 'getQuote'>, Texts<QuoteParams>>
  getStore: Same<ResponseData<Operations, 'getStore'>, Store>
  listPaymentWebhooks: Same<
    ResponseData<Operations, 'listPaymentWebhooks'>,
    { events: PaymentWebhook[] }
  >
  redeliverWebhook: Same<ResponseData<Operations, 'redeliverWebhook'>, Redelivered>
  listEvents: Same<
    ResponseData<Operations, 'listEvents'>,
    { events: StoredEvent[]; next_cursor: string | null }
  > &
    Same<Query<Operations, 'listEvents'>, Texts<EventListParams>>
  redeliverEvents: Same<ResponseData<Operations, 'redeliverEvents'>, RedeliveredEvents> &
    Same<Body<Operations, 'redeliverEvents'>, Wire<TimeWindow>>
  sandboxPay: Same<ResponseData<Operations, 'sandboxPay'>, CurrentStatus> &
    Same<
      Body<Operations, 'sandboxPay'>,
      Wire<Omit<SandboxPayParams, 'donation_amount'> & { donation_amount?: number | null }>
    >
  sandboxExpire: Same<ResponseData<Operations, 'sandboxExpire'>, CurrentStatus>
}

type Operation<Operations, Name> = Operations[Name & keyof Operations]

type ResponseData<Operations, Name> =
  Operation<Operations, Name> extends {
    responses: { 200: { content: { 'application/json': { data: infer Data } } } }
  }
    ? Data
    : 'no response'

type Body<Operations, Name> =
  Operation<Operations, Name> extends {
    requestBody?: { content: { 'application/json': infer Sent } }
  }
    ? Sent
    : 'no body'

type Query<Operations, Name> =
  Operation<Operations, Name> extends { parameters: { query?: infer Parameters } }
    ? Parameters
    : 'no query'

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
