import Type, { type Static } from 'typebox'
import {
  boolean,
  currency,
  currencyCode,
  cursorQuery,
  described,
  integer,
  limitQuery,
  locale,
  mode,
  money,
  nextCursor,
  note,
  nullable,
  openObjectOrNull,
  optional,
  string,
  text,
  wireTime,
} from './fields.ts'
import { CreatePaymentBody, PaymentProduct } from './payments.ts'
import { ModeParams } from './store.ts'
import { LINK_STATES } from './values.ts'

const MAX_LINK_TITLE = 120
const MAX_LINK_PAYMENTS = 1_000_000

export const linkId = () =>
  Type.String({
    description: 'The id of the link: `lnk_` and 26 characters.',
    examples: ['lnk_06gxt709g80000ba9e0bf4rx72'],
  })

export const LinkIdParams = Type.Object({ linkId: linkId() })
export type LinkIdParams = Static<typeof LinkIdParams>
export const StoreLinkParams = Type.Object({ ...ModeParams.properties, linkId: linkId() })
export type StoreLinkParams = Static<typeof StoreLinkParams>

const { products, payload, reference_note, webhook_url } = CreatePaymentBody.properties
const title = () => described(text(MAX_LINK_TITLE), 'What you sell. Shown to payers.')

/** Fields that can be changed later. */
const changeable = {
  description: optional(described(note(1000), 'A description. Shown to payers.')),
  payload,
  reference_id: optional(
    described(
      note(255),
      'Your own id, for every payment of the link. If the store requires unique references, the link can be paid at most once.',
    ),
  ),
  reference_note,
  webhook_url,
  return_url: optional(
    Type.String({
      maxLength: 2048,
      description:
        'URL that the wallet links to after paying, with `payment_id` and `status` added to the query; http or https.',
      examples: ['https://shop.example/thanks'],
    }),
  ),
  locale: optional(
    described(locale(), 'Language of the page. By default the browser of the payer decides.'),
  ),
  max_payments: optional(
    Type.Integer({
      minimum: 1,
      maximum: MAX_LINK_PAYMENTS,
      description: 'How many times the link can be paid. By default there is no limit.',
    }),
  ),
  expires_at: optional(
    Type.String({
      maxLength: 40,
      description:
        'Time after which the link can no longer be paid. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.',
      examples: ['2030-01-31 08:00:00'],
    }),
  ),
}

export const CreateLinkBody = Type.Object(
  {
    title: title(),
    amount: optional(
      Type.Number({
        exclusiveMinimum: 0,
        description: 'Amount of each payment. By default the payer chooses.',
        examples: [12.5],
      }),
    ),
    currency: optional(
      described(
        currency(),
        "ISO 4217 code. The default is the store's currency. Payments in another currency are converted at the operator's current rate.",
      ),
    ),
    products,
    ...changeable,
  },
  { title: 'CreateLinkBody' },
)
export type CreateLinkBody = Static<typeof CreateLinkBody>

export const ChangeLinkBody = Type.Object(
  {
    title: Type.Optional(title()),
    ...changeable,
    active: Type.Optional(boolean('False to pause the link, true to activate it again.')),
  },
  { title: 'ChangeLinkBody' },
)
export type ChangeLinkBody = Static<typeof ChangeLinkBody>

export const linkState = () =>
  Type.Enum(LINK_STATES, {
    description:
      '`active`: neither paused nor used up nor expired. `paused`: the store paused it. `used_up`: it was paid `max_payments` times or more. `expired`: `expires_at` has passed.',
  })

export const Link = Type.Object(
  {
    link_id: linkId(),
    url: string('The page of the link. Share it, or print its QR code.'),
    mode: mode(),
    title: string('What you sell.'),
    description: nullable(string('The description.')),
    amount: nullable(money('Amount of each payment. Null if the payer chooses.')),
    currency: currencyCode('The currency of `amount`.'),
    products: Type.Array(PaymentProduct, { description: 'The products. May be empty.' }),
    payload: openObjectOrNull('Your custom data, for every payment.'),
    reference_id: nullable(string('Your own id, for every payment.')),
    reference_note: nullable(string('A note that is shown to the payer.')),
    webhook_url: nullable(string('URL that events of the payments are posted to.')),
    return_url: nullable(string('URL that the wallet links to after paying.')),
    locale: described(nullable(locale()), 'Language of the page. Null if the browser decides.'),
    max_payments: nullable(integer('How many times the link can be paid. Null without a limit.')),
    expires_at: nullable(wireTime('Time after which the link can no longer be paid, UTC.')),
    active: boolean('False if the store paused the link.'),
    state: linkState(),
    paid_count: integer('How many times it was paid, including payments refunded later.'),
    paid_total: money('The gross of these payments.'),
    paid_currency: currencyCode("The currency of `paid_total`: the store's."),
    created_at: wireTime('Time of creation, UTC.'),
  },
  {
    title: 'Link',
    description: 'A link that several payers can pay, each with a payment of their own.',
  },
)
export type Link = Static<typeof Link>

export const LinkListQuery = Type.Object({
  active: Type.Optional(
    Type.Enum(['true', 'false'], {
      description: 'Only links that are not paused, or only paused ones.',
    }),
  ),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type LinkListQuery = Static<typeof LinkListQuery>

export const LinkList = Type.Object(
  {
    links: Type.Array(Link, { description: 'Links, newest first.' }),
    next_cursor: nextCursor(),
  },
  { title: 'LinkList', description: 'One page of links.' },
)
export type LinkList = Static<typeof LinkList>
