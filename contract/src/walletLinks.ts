import Type, { type Static } from 'typebox'
import {
  boolean,
  currencyCode,
  described,
  integer,
  money,
  nullable,
  optional,
  string,
  wireTime,
} from './fields.ts'
import { linkId, linkState } from './links.ts'
import { PaymentProduct, RequestAmount, StoreProfile } from './payments.ts'
import { PayBody } from './wallet.ts'

const LinkRequestAmount = Type.Object(
  {
    ...RequestAmount.properties,
    amount: nullable(money('The amount of the link. Null if the payer chooses.')),
    conversion_rate: nullable(RequestAmount.properties.conversion_rate),
  },
  {
    title: 'LinkRequestAmount',
    description: 'The amount of the link, before conversion. The rate is null if there is none.',
  },
)

export const LinkPreview = Type.Object(
  {
    link_id: linkId(),
    state: linkState(),
    title: string('What the store sells.'),
    description: nullable(string('The description.')),
    amount: nullable(
      money(
        'The amount to pay now. Null if the payer chooses, or if the store cannot take the amount of the link.',
      ),
    ),
    currency: currencyCode("The store's currency, in which the wallet pays."),
    request_amount: LinkRequestAmount,
    min_amount: nullable(money('Minimum of one payment, in `currency`.')),
    max_amount: nullable(money('Maximum of one payment, in `currency`.')),
    store_id: integer("The store's number."),
    store: StoreProfile,
    reference_note: nullable(string("The store's note.")),
    products: Type.Array(PaymentProduct, { description: 'The products. May be empty.' }),
    payments_left: nullable(integer('How many times it can still be paid. Null without a limit.')),
    expires_at: nullable(wireTime('Time after which it can no longer be paid, UTC.')),
    balance: money("The wallet's balance in `currency`."),
    pin_limit: nullable(
      money('A total above it, donation included, needs the PIN. Null without a limit.'),
    ),
    can_pay: boolean(
      'True if this wallet can pay it now. If the payer chooses: true if it can pay the smallest amount.',
    ),
    reason: described(
      nullable(
        Type.Enum([
          'link_expired',
          'link_used_up',
          'link_inactive',
          'store_suspended',
          'wallet_locked',
          'amount_refused',
          'limit_reached',
          'insufficient_balance',
        ]),
      ),
      "Why this wallet cannot pay. `amount_refused`: the amount is outside the limits of one payment, or cannot be converted. `limit_reached`: the amount exceeds what is left of the store's daily or monthly limit. Null if it can.",
    ),
  },
  { title: 'LinkPreview', description: 'The link, and whether this wallet can pay it.' },
)
export type LinkPreview = Static<typeof LinkPreview>

export const PayLinkBody = Type.Object(
  {
    amount: optional(
      Type.Number({
        exclusiveMinimum: 0,
        description:
          "The amount, in the link's currency. Required if the payer chooses, and refused otherwise.",
        examples: [4.5],
      }),
    ),
    conversion_rate: optional(
      Type.String({
        maxLength: 40,
        description:
          'The `conversion_rate` of the preview. If the rate has changed since then, the request is refused, so that the payer pays what the preview shows.',
        examples: ['1.0842'],
      }),
    ),
    ...PayBody.properties,
  },
  { title: 'PayLinkBody' },
)
export type PayLinkBody = Static<typeof PayLinkBody>
