import Type, { type Static, type TObject } from 'typebox'
import {
  boolean,
  currency,
  currencyCode,
  cursorQuery,
  decimal,
  described,
  email,
  emailOrEmpty,
  fromQuery,
  httpsOrigin,
  httpUrl,
  integer,
  limitQuery,
  mode,
  money,
  nextCursor,
  note,
  nullable,
  optional,
  pin,
  string,
  text,
  toQuery,
  wireTime,
} from './fields.ts'
import { storeSettings } from './merchant.ts'
import { SCOPES } from './values.ts'

/** What an owner may set as well. */
export const ownSettings = {
  time_zone: Type.Optional(described(text(64), 'IANA name, such as Europe/Paris.')),
  domain: Type.Optional(described(note(255), "The store's own site.")),
  email: Type.Optional(described(emailOrEmpty(), 'Where payers may write to; may be empty.')),
  phone: Type.Optional(described(note(32), 'Where payers may call; may be empty.')),
  expires_after_seconds: Type.Optional(
    Type.Integer({
      minimum: 60,
      maximum: 86400,
      description: 'How long a payment can be paid; 900 at first.',
    }),
  ),
  unique_references: Type.Optional(
    boolean('Whether a `reference_id` that is pending or paid is refused.'),
  ),
  refund_cap_manager: optional(
    described(decimal(), 'Largest gross that a manager may refund; null, as at first, for any.'),
  ),
  refund_cap_cashier: optional(
    described(decimal(), 'The same for a cashier; 0, as at first, for none.'),
  ),
  embed_origins: Type.Optional(
    described(
      Type.Array(httpsOrigin(), { maxItems: 20 }),
      'Sites that may show the checkout page in a frame; nobody where empty.',
    ),
  ),
}

/** What only the operator sets. */
export const operatorSettings = {
  fee_bps: Type.Optional(Type.Integer({ minimum: 0, maximum: 10000, description: '100 is 1 %.' })),
  fee_fixed: Type.Optional(described(decimal(), 'Fixed part of the transaction fee.')),
  refund_fee: Type.Optional(described(decimal(), 'What a refund costs the payer.')),
  min_amount: optional(described(decimal(), 'Least gross of a payment; null for none.')),
  max_amount: optional(described(decimal(), 'Largest gross of a payment; null for none.')),
  daily_limit: optional(described(decimal(), 'Gross a day; null for none.')),
  monthly_limit: optional(described(decimal(), 'Gross a month; null for none.')),
  suspended: Type.Optional(boolean('Whether the store is stopped: its calls answer 403.')),
}

const settings = {
  ...ownSettings,
  logo: optional(described(httpUrl(), 'Address of an image; the mark that we draw where absent.')),
  ...operatorSettings,
}

export const storeName = () => described(text(255), 'What the store is called.')
export const CreateStoreBody = Type.Object(
  {
    name: storeName(),
    currency: described(currency(), 'ISO 4217 in upper case; cannot be changed later.'),
    ...settings,
  },
  { title: 'CreateStoreBody' },
)
export type CreateStoreBody = Static<typeof CreateStoreBody>
export const ChangeStoreBody = Type.Object(
  { name: Type.Optional(storeName()), ...settings },
  { title: 'ChangeStoreBody' },
)
export type ChangeStoreBody = Static<typeof ChangeStoreBody>

export const OperatorStore = Type.Object(
  {
    ...storeSettings,
    logo: described(nullable(Type.String()), 'Null: the mark that we draw.'),
    suspended: boolean('Whether the store is stopped.'),
    created_at: wireTime('When it was made, UTC.'),
    balances: Type.Optional(
      Type.Array(
        Type.Object({
          mode: mode(),
          balance: money('What the store has.'),
          fees: money('What the service has earned from it.'),
          gifts: money('What payers have added for charity.'),
        }),
        { description: 'One for each mode; absent in lists.' },
      ),
    ),
  },
  { title: 'OperatorStore' },
)
export type OperatorStore = Static<typeof OperatorStore>

export const PageQuery = Type.Object({
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type PageQuery = Static<typeof PageQuery>

export const FindStoreQuery = Type.Object({
  ...PageQuery.properties,
  search: Type.Optional(described(note(255), 'A number, or letters of the name.')),
})
export type FindStoreQuery = Static<typeof FindStoreQuery>

export const FindWalletQuery = Type.Object({
  ...PageQuery.properties,
  phone: Type.Optional(described(note(32), 'Only the wallet of this phone number.')),
})
export type FindWalletQuery = Static<typeof FindWalletQuery>

export const page = (name: string, item: TObject) =>
  Type.Object({
    [name]: Type.Array(item, { description: 'This page of them.' }),
    next_cursor: nextCursor(),
  })

export const StoreParams = Type.Object({ storeId: string("The store's number.") })
export type StoreParams = Static<typeof StoreParams>
export const KeyParams = Type.Object({ apiKey: string('The `api-key`.') })
export type KeyParams = Static<typeof KeyParams>
export const WalletParams = Type.Object({ walletId: string("The wallet's id.") })
export type WalletParams = Static<typeof WalletParams>
export const RateParams = Type.Object({
  from: string('ISO 4217 code of what is asked for.'),
  to: string("ISO 4217 code of the store's currency."),
})
export type RateParams = Static<typeof RateParams>

export const CreateKeyBody = Type.Object(
  {
    label: optional(described(note(255), 'What you call it.')),
    scopes: optional(
      Type.Array(Type.Enum(SCOPES), {
        minItems: 1,
        maxItems: SCOPES.length,
        description: 'What it may do; everything where absent.',
      }),
    ),
    expires_at: optional(
      Type.String({ maxLength: 40, description: 'Until when it works; UTC or ISO 8601.' }),
    ),
  },
  { title: 'CreateKeyBody' },
)
export type CreateKeyBody = Static<typeof CreateKeyBody>
export const IssueCredentialBody = Type.Object(
  { mode: mode(), ...CreateKeyBody.properties },
  { title: 'IssueCredentialBody' },
)
export type IssueCredentialBody = Static<typeof IssueCredentialBody>

export const Credential = Type.Object(
  {
    api_key: string('Sent as the `api-key` header.'),
    store_id: integer("The store's number."),
    mode: mode(),
    label: string('What you call it.'),
    scopes: Type.Array(Type.String(), { description: 'What it may do.' }),
    created_at: wireTime('When it was issued, UTC.'),
    expires_at: nullable(wireTime('Until when it works, UTC; null for no end.')),
    previous_secret_until: nullable(wireTime('Until when the secret before works, UTC.')),
    revoked_at: nullable(wireTime('Since when it does not work any more, UTC.')),
    last_used_at: nullable(wireTime('When it was last used, UTC, to the minute.')),
  },
  { title: 'Credential' },
)
export type Credential = Static<typeof Credential>

export const IssuedCredential = Type.Object(
  {
    ...Credential.properties,
    api_secret: described(Type.String(), 'Shown this once.'),
    webhook_secret: string('With which events of this store and mode are signed, `whsec_…`.'),
  },
  { title: 'IssuedCredential' },
)
export type IssuedCredential = Static<typeof IssuedCredential>

export const RotateKeyBody = Type.Object(
  {
    overlap_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 7 * 86400,
        description: 'How long the old secret works on; a day where absent.',
      }),
    ),
  },
  { title: 'RotateKeyBody' },
)
export type RotateKeyBody = Static<typeof RotateKeyBody>

export const MoveStoreMoneyBody = Type.Object(
  {
    mode: mode(),
    amount: described(decimal(), "In the store's currency."),
    note: optional(described(note(1000), 'What it was for.')),
  },
  { title: 'MoveStoreMoneyBody' },
)
export type MoveStoreMoneyBody = Static<typeof MoveStoreMoneyBody>

export const MoneyMovement = Type.Object(
  {
    reference: string('Names the movement in the ledger.'),
    balance: money('After it.'),
    currency: currencyCode(),
  },
  { title: 'MoneyMovement' },
)
export type MoneyMovement = Static<typeof MoneyMovement>

export const RateBody = Type.Object(
  {
    rate: Type.String({
      maxLength: 20,
      description: 'What one unit of `from` is in `to`. Above 0, at most four places.',
      examples: ['1.0842'],
    }),
  },
  { title: 'RateBody' },
)
export type RateBody = Static<typeof RateBody>

export const Rate = Type.Object(
  {
    from: currencyCode('What is asked for.'),
    to: currencyCode("The store's currency."),
    rate: string('Four places.'),
    set_at: wireTime('Since when, UTC.'),
  },
  { title: 'Rate' },
)
export type Rate = Static<typeof Rate>

export const CreateWalletBody = Type.Object(
  {
    mode: mode(),
    name: described(text(255), "The payer's name."),
    email: described(email(), "The payer's e-mail address."),
    phone: described(text(32), 'With which they sign in; one wallet a number.'),
    pin: described(pin(), '4 to 8 digits, and not easy to guess.'),
  },
  { title: 'CreateWalletBody' },
)
export type CreateWalletBody = Static<typeof CreateWalletBody>

export const MoveWalletMoneyBody = Type.Object(
  {
    currency: described(currency(), 'ISO 4217 in upper case.'),
    amount: described(decimal(), 'How much of it.'),
    note: optional(described(note(1000), 'What it was for. The payer sees it.')),
  },
  { title: 'MoveWalletMoneyBody' },
)
export type MoveWalletMoneyBody = Static<typeof MoveWalletMoneyBody>

export const PinBody = Type.Object(
  {
    pin: described(pin(), 'The new PIN: 4 to 8 digits, and not easy to guess.'),
  },
  { title: 'PinBody' },
)
export type PinBody = Static<typeof PinBody>

export const AuditQuery = Type.Object({
  actor: Type.Optional(described(note(255), 'Only what this one did.')),
  action: Type.Optional(described(note(255), 'Only acts of this kind.')),
  subject: Type.Optional(described(note(255), 'Only what was done to this.')),
  from: fromQuery(),
  to: toQuery(),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type AuditQuery = Static<typeof AuditQuery>

export const AuditEntry = Type.Object(
  {
    id: string('Names the entry.'),
    at: wireTime('When, UTC.'),
    actor: string('Who did it.'),
    action: string('What was done.'),
    subject: string('To what.'),
    before: Type.Unknown({ description: 'As it was.' }),
    after: Type.Unknown({ description: 'As it is.' }),
    request_id: nullable(string('The `x-request-id` of the call.')),
  },
  { title: 'AuditEntry' },
)
export type AuditEntry = Static<typeof AuditEntry>

export const OperatorTokenBody = Type.Object(
  {
    label: described(text(255), 'What you call it; the audit log names it.'),
  },
  { title: 'OperatorTokenBody' },
)
export type OperatorTokenBody = Static<typeof OperatorTokenBody>
