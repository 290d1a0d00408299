import Type, { type Static } from 'typebox'
import {
  archivedBefore,
  boolean,
  currencyCode,
  cursorQuery,
  integer,
  integerQuery,
  limitQuery,
  money,
  nextCursor,
  nullable,
  string,
  wireTime,
} from './fields.ts'
import {
  PaymentProduct,
  paymentId,
  RefundSummary,
  RequestAmount,
  StoreProfile,
} from './payments.ts'
import { returnLink } from './wallet.ts'

const storeIdQuery = () =>
  integerQuery({
    minimum: 1,
    maximum: 9_999_999,
    description: 'Only transfers of the store with this number.',
  })

export const ActivityQuery = Type.Object({
  limit: limitQuery(),
  cursor: cursorQuery(),
  store_id: storeIdQuery(),
})
export type ActivityQuery = Static<typeof ActivityQuery>

const transfer = {
  at: wireTime('Time of the transfer, UTC.'),
  kind: Type.Enum(['payment', 'donation', 'refund', 'top_up', 'withdrawal'], {
    description: 'The kind of transfer.',
  }),
  amount: money('The amount. Negative if money left the wallet.'),
  currency: currencyCode(),
  reference: string('The id of the payment, top-up or withdrawal.'),
  store: nullable(string('Name of the store. Null for a top-up or withdrawal.')),
  note: nullable(string("The operator's note.")),
}

/** The transfers of a payer, as an operator exports them. */
export const PayerTransfers = Type.Array(Type.Object(transfer), {
  description: 'Transfers, newest first.',
})

const ActivityEntries = Type.Array(
  Type.Object({
    ...transfer,
    store_id: nullable(integer("The store's number. Null for a top-up or withdrawal.")),
    store_logo: nullable(
      string("URL of the store's logo on this service. Null for a top-up or withdrawal."),
    ),
    refund_fee: nullable(
      money('The fee that was deducted from the refund. Null for other kinds of transfers.'),
    ),
  }),
  { description: 'Transfers, newest first.' },
)

export const Activity = Type.Object(
  { activity: ActivityEntries, next_cursor: nextCursor(), archived_before: archivedBefore() },
  { title: 'Activity', description: 'One page of transfers.' },
)
export type Activity = Static<typeof Activity>
export type ActivityEntry = Activity['activity'][number]

export const WalletPayment = Type.Object(
  {
    payment_id: paymentId(),
    status: Type.Enum(['completed', 'refunded'], { description: 'The status of the payment.' }),
    amount: money('The amount of the payment.'),
    donation_amount: money('The donation. It is not refunded.'),
    total: money('The amount debited from the wallet.'),
    currency: currencyCode(),
    request_amount: RequestAmount,
    store_id: integer("The store's number."),
    store: StoreProfile,
    reference_id: nullable(string("The store's order id.")),
    reference_note: nullable(string("The store's note.")),
    products: Type.Array(PaymentProduct, { description: 'The products. May be empty.' }),
    link_title: nullable(string('The title of the link that was paid. Null without a link.')),
    paid_at: wireTime('Time of the payment, UTC.'),
    refund: nullable(RefundSummary),
    return_url: returnLink(),
  },
  { title: 'WalletPayment', description: 'A payment of this wallet, with its order.' },
)
export type WalletPayment = Static<typeof WalletPayment>

export const FavouriteParams = Type.Object({ storeId: string("The store's number.") })
export type FavouriteParams = Static<typeof FavouriteParams>

export const PaidStores = Type.Object(
  {
    stores: Type.Array(
      Type.Object({
        store_id: integer("The store's number."),
        store: StoreProfile,
        last_paid_at: wireTime('Time of the last payment, UTC.'),
        favourite: boolean('True if the payer marked it as a favourite.'),
      }),
      {
        description:
          'At most 100 stores of the latest 1,000 payments that are not archived. Most recently paid first.',
      },
    ),
  },
  { title: 'PaidStores', description: 'The stores that this wallet has paid.' },
)
export type PaidStores = Static<typeof PaidStores>
export type PaidStore = PaidStores['stores'][number]

export const WalletStatementQuery = Type.Object({
  from: string('Start of the period, inclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601.'),
  to: string(
    'End of the period, exclusive. `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. At most 366 days after the start.',
  ),
})
export type WalletStatementQuery = Static<typeof WalletStatementQuery>

export const WalletStatement = Type.Object(
  {
    from: wireTime('Start of the period, inclusive, UTC.'),
    to: wireTime('End of the period, exclusive, UTC.'),
    balances: Type.Array(
      Type.Object({
        currency: currencyCode(),
        opening: money('The balance at the start.'),
        money_in: money('The sum of all money that came in.'),
        money_out: money('The sum of all money that went out.'),
        closing: money('The balance at the end: opening + money_in - money_out.'),
      }),
      { description: 'One per currency of the wallet.' },
    ),
    activity: ActivityEntries,
  },
  { title: 'WalletStatement', description: 'Balances and transfers of a period.' },
)
export type WalletStatement = Static<typeof WalletStatement>
