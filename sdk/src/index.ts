import { signTestEvent } from './testEvents.ts'
import { constructEvent } from './webhooks.ts'

/** Verifies deliveries, and creates signed ones for tests. */
export const webhooks = { constructEvent, signTestEvent }

export type { Amount } from './amounts.ts'
export * from './errors.ts'
export type { Events } from './events.ts'
export { Florin } from './florin.ts'
export type { Links } from './links.ts'
export type { List, Page } from './list.ts'
export type { QrParams } from './params.ts'
export type { Payments } from './payments.ts'
export type { RequestOptions, WriteOptions } from './request.ts'
export type {
  CreateLinkParams,
  CreateParams,
  EventListParams,
  LinkListParams,
  ListParams,
  Product,
  QuoteParams,
  SandboxPayParams,
  Time,
  TimeWindow,
  UpdateLinkParams,
} from './requests.ts'
export type { Sandbox } from './sandbox.ts'
export type { FlorinOptions } from './settings.ts'
export type { TestEventParams } from './testEvents.ts'
export type * from './types.ts'
export { toDate } from './types.ts'
export type { WaitOptions } from './waitUntilSettled.ts'
export type { VerifyOptions, WebhookEvent, WebhookHeaders, WebhookSecret } from './webhooks.ts'
