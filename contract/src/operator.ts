import Type, { type Static } from 'typebox'
import {
  boolean,
  currency,
  currencyCode,
  cursorQuery,
  decimal,
  described,
  email,
  emailOrEmpty,
  httpsOrigin,
  httpUrl,
  integer,
  limitQuery,
  locale,
  mode,
  money,
  nextCursor,
  note,
  nullable,
  optional,
  pin,
  string,
  text,
  wireTime,
} from './fields.ts'
import { mailSettings, STORE_LOCALE_DESCRIPTION, storeSettings } from './merchant.ts'
import { ROLES } from './values.ts'
import { Wallet } from './wallet.ts'

/** Settings that the owner of a store can change as well. */
export const ownSettings = {
  time_zone: Type.Optional(
    described(text(64), 'IANA name, such as Europe/Paris. The default is UTC.'),
  ),
  domain: Type.Optional(described(note(255), "The store's website.")),
  email: Type.Optional(described(emailOrEmpty(), 'Email address for payers. Can be empty.')),
  phone: Type.Optional(described(note(32), 'Phone number for payers. Can be empty.')),
  expires_after_seconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86400,
      description: 'Seconds until a payment expires. The default is 900.',
    }),
  ),
  unique_references: Type.Optional(
    boolean(
      'If true, a payment cannot reuse the `reference_id` of a pending, paid or refunded one. The default is false.',
    ),
  ),
  refund_cap_manager: optional(
    described(
      decimal(),
      'Maximum gross that a manager can refund. Null, the default, means no maximum.',
    ),
  ),
  refund_cap_cashier: optional(
    described(
      decimal(),
      'Maximum gross that a cashier can refund. The default is 0: cashiers cannot refund. Null means no maximum.',
    ),
  ),
  embed_origins: Type.Optional(
    described(
      Type.Array(httpsOrigin(), { maxItems: 20 }),
      'Sites that can show the checkout page in a frame. If empty, no site can.',
    ),
  ),
  locale: optional(described(locale(), STORE_LOCALE_DESCRIPTION)),
  mail_receipts: Type.Optional(
    boolean(
      'If true, a receipt is emailed to `client.email` when a payment is paid or refunded; for a test payment, to the address of the store. The default is false.',
    ),
  ),
  mail_daily_close: Type.Optional(
    boolean('If true, the daily close is emailed to the owners. The default is false.'),
  ),
}

/** Settings that only an operator can change. */
export const operatorSettings = {
  fee_bps: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 10000,
      description: 'Transaction fee in basis points of gross; 100 is 1%.',
    }),
  ),
  fee_fixed: Type.Optional(described(decimal(), 'Fixed part of the transaction fee.')),
  refund_fee: Type.Optional(described(decimal(), 'Fee that is deducted from a refund.')),
  min_amount: optional(described(decimal(), 'Minimum gross of a payment. Null means no minimum.')),
  max_amount: optional(described(decimal(), 'Maximum gross of a payment. Null means no maximum.')),
  daily_limit: optional(described(decimal(), 'Maximum gross per day. Null means no limit.')),
  monthly_limit: optional(described(decimal(), 'Maximum gross per month. Null means no limit.')),
  suspended: Type.Optional(
    boolean(
      'If true, the store cannot be paid, and requests of its API keys and people get 403. People can still sign in and out and use their own account.',
    ),
  ),
}

const settings = {
  ...ownSettings,
  logo: optional(
    described(httpUrl(), 'URL of an image. If null, the service draws a default logo.'),
  ),
  ...operatorSettings,
}

export const storeName = () => described(text(255), "The store's name.")
export const CreateStoreBody = Type.Object(
  {
    name: storeName(),
    currency: described(currency(), 'ISO 4217 code in upper case. It cannot be changed later.'),
    ...settings,
  },
  { title: 'CreateStoreBody' },
)
export type CreateStoreBody = Static<typeof CreateStoreBody>
export const ChangeStoreBody = Type.Object(
  {
    name: Type.Optional(storeName()),
    currency: Type.Optional(
      Type.Unknown({ description: 'Refused unless it is the current currency.' }),
    ),
    ...settings,
  },
  { title: 'ChangeStoreBody' },
)
export type ChangeStoreBody = Static<typeof ChangeStoreBody>

export const OperatorStore = Type.Object(
  {
    ...storeSettings,
    ...mailSettings,
    logo: nullable(string('URL or path of the logo. Null if the service draws it.')),
    suspended: boolean('True if the store is suspended.'),
    second_factor_roles: Type.Array(Type.Enum(ROLES), {
      description: 'Roles that need a second factor, as the owner decided.',
    }),
    created_at: wireTime('Time of creation, UTC.'),
    balances: Type.Optional(
      Type.Array(
        Type.Object({
          mode: mode(),
          balance: money('Balance of the store.'),
          fees: money('Fees that the service has earned from the store.'),
          gifts: money('Donations of payers.'),
        }),
        { description: 'One entry per mode. Absent in lists and after changes.' },
      ),
    ),
  },
  { title: 'OperatorStore', description: 'The store and its settings.' },
)
export type OperatorStore = Static<typeof OperatorStore>
export type StoreBalance = NonNullable<OperatorStore['balances']>[number]

export const StoreList = Type.Object(
  {
    stores: Type.Array(OperatorStore, { description: 'Stores by number.' }),
    next_cursor: nextCursor(),
  },
  { title: 'StoreList', description: 'One page of stores.' },
)
export type StoreList = Static<typeof StoreList>

export const StoreSummary = Type.Object(
  {
    pending: Type.Array(
      Type.Object({
        mode: mode(),
        count: integer('Number of payments.'),
        amount: money('Sum of their gross.'),
      }),
      { description: 'Pending payments, for each mode that has any.' },
    ),
    credentials: integer('Number of active API keys.'),
    people: integer('Number of people who can sign in.'),
  },
  {
    title: 'StoreSummary',
    description: 'The payments, API keys and people that a suspension would affect.',
  },
)
export type StoreSummary = Static<typeof StoreSummary>

export const PageQuery = Type.Object({ limit: limitQuery(), cursor: cursorQuery() })
export type PageQuery = Static<typeof PageQuery>

export const FindStoreQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(described(note(255), 'A store number, or a part of the name.')),
})
export type FindStoreQuery = Static<typeof FindStoreQuery>

export const StoreParams = Type.Object({ storeId: string("The store's number.") })
export type StoreParams = Static<typeof StoreParams>

export const MoveStoreMoneyBody = Type.Object(
  {
    mode: mode(),
    amount: described(decimal(), "Amount in the store's currency."),
    note: optional(described(note(1000), 'A note for the ledger.')),
  },
  { title: 'MoveStoreMoneyBody' },
)
export type MoveStoreMoneyBody = Static<typeof MoveStoreMoneyBody>

export const MoveWalletMoneyBody = Type.Object(
  {
    currency: described(currency(), 'ISO 4217 code in upper case.'),
    amount: described(decimal(), 'Amount in this currency.'),
    note: optional(described(note(1000), 'A note that is shown to the payer.')),
  },
  { title: 'MoveWalletMoneyBody' },
)
export type MoveWalletMoneyBody = Static<typeof MoveWalletMoneyBody>

export const MoneyMovement = Type.Object(
  {
    reference: string('Id of the movement in the ledger.'),
    balance: money('Balance after the movement.'),
    currency: currencyCode(),
  },
  { title: 'MoneyMovement', description: 'The movement.' },
)
export type MoneyMovement = Static<typeof MoneyMovement>

export const WalletParams = Type.Object({ walletId: string("The wallet's id.") })
export type WalletParams = Static<typeof WalletParams>

export const CreateWalletBody = Type.Object(
  {
    mode: mode(),
    name: described(text(255), "The payer's name."),
    email: described(email(), "The payer's email address."),
    phone: described(text(32), 'Phone number for signing in. Each wallet needs its own.'),
    pin: optional(
      described(
        pin(),
        'PIN of 4 to 8 digits that is not easy to guess. For imports: without it, the payer gets an activation code.',
      ),
    ),
    locale: optional(described(locale(), 'Language of emails to the payer.')),
  },
  { title: 'CreateWalletBody' },
)
export type CreateWalletBody = Static<typeof CreateWalletBody>

export const FindWalletQuery = Type.Object({
  ...PageQuery.properties,
  phone: Type.Optional(described(note(32), 'Returns only the wallet with this phone number.')),
  search: Type.Optional(
    described(
      note(255),
      'Returns at most 500 wallets with these words in the name, email address, phone number or id. The beginning of a word is enough.',
    ),
  ),
})
export type FindWalletQuery = Static<typeof FindWalletQuery>

export const WalletList = Type.Object(
  {
    wallets: Type.Array(Wallet, { description: 'Wallets by number.' }),
    next_cursor: nextCursor(),
  },
  { title: 'WalletList', description: 'One page of wallets.' },
)
export type WalletList = Static<typeof WalletList>

export const PinBody = Type.Object(
  { pin: described(pin(), 'New PIN of 4 to 8 digits that is not easy to guess.') },
  { title: 'PinBody' },
)
export type PinBody = Static<typeof PinBody>
