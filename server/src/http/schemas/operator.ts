import Type, { type TObject } from 'typebox'
import { SCOPES } from '../../core/credentials.ts'
import { described } from './common.ts'
import {
  currency,
  decimal,
  email,
  emailOrNothing,
  httpsOrigin,
  httpUrl,
  mode,
  money,
  note,
  nullable,
  optional,
  pin,
  text,
  wireTime,
} from './fields.ts'
import { storeSettings } from './merchant.ts'

/** What an owner may set as well. */
export const ownSettings = {
  time_zone: Type.Optional(described(text(64), 'IANA name, such as Europe/Paris.')),
  domain: Type.Optional(note(255)),
  email: Type.Optional(emailOrNothing()),
  phone: Type.Optional(note(32)),
  expires_after_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86400 })),
  unique_references: Type.Optional(Type.Boolean()),
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
  fee_fixed: Type.Optional(decimal()),
  refund_fee: Type.Optional(decimal()),
  min_amount: optional(decimal()),
  max_amount: optional(decimal()),
  daily_limit: optional(decimal()),
  monthly_limit: optional(decimal()),
  suspended: Type.Optional(Type.Boolean()),
}

const settings = { ...ownSettings, logo: optional(httpUrl()), ...operatorSettings }

export const CreateStoreBody = Type.Object({ name: text(255), currency: currency(), ...settings })
export const ChangeStoreBody = Type.Object({ name: Type.Optional(text(255)), ...settings })

export const OperatorStore = Type.Object({
  ...storeSettings,
  logo: described(nullable(Type.String()), 'Null: the mark that we draw.'),
  suspended: Type.Boolean(),
  created_at: wireTime(),
  balances: Type.Optional(
    Type.Array(Type.Object({ mode: mode(), balance: money(), fees: money(), gifts: money() })),
  ),
})

export const PageQuery = Type.Object({
  limit: Type.Optional(Type.String({ description: '1 to 100; 20 where absent.' })),
  cursor: Type.Optional(Type.String({ description: 'next_cursor of the page before.' })),
})

export const page = (name: string, item: TObject) =>
  Type.Object({ [name]: Type.Array(item), next_cursor: nullable(Type.String()) })

export const StoreParams = Type.Object({ storeId: Type.String() })
export const KeyParams = Type.Object({ apiKey: Type.String() })
export const WalletParams = Type.Object({ walletId: Type.String() })
export const RateParams = Type.Object({ from: Type.String(), to: Type.String() })

export const KeyBody = Type.Object({
  label: optional(note(255)),
  scopes: optional(Type.Array(Type.Enum([...SCOPES]), { minItems: 1, maxItems: SCOPES.length })),
  expires_at: optional(Type.String({ maxLength: 40, description: 'UTC or ISO 8601.' })),
})
export const IssueBody = Type.Object({ mode: mode(), ...KeyBody.properties })

export const CredentialView = Type.Object({
  api_key: Type.String(),
  store_id: Type.Integer(),
  mode: mode(),
  label: Type.String(),
  scopes: Type.Array(Type.String()),
  created_at: wireTime(),
  expires_at: nullable(wireTime()),
  previous_secret_until: nullable(wireTime()),
  revoked_at: nullable(wireTime()),
  last_used_at: described(nullable(wireTime()), 'To the minute.'),
})

export const IssuedData = Type.Object({
  ...CredentialView.properties,
  api_secret: described(Type.String(), 'Shown this once.'),
  webhook_secret: Type.String(),
})

export const RotateBody = Type.Object({
  overlap_seconds: optional(
    Type.Integer({
      minimum: 0,
      maximum: 7 * 86400,
      description: 'How long the old secret works on; a day where absent.',
    }),
  ),
})

export const MoveStoreMoneyBody = Type.Object({
  mode: mode(),
  amount: decimal(),
  note: optional(note(1000)),
})

export const MovedData = Type.Object({
  reference: Type.String(),
  balance: money(),
  currency: Type.String(),
})

export const RateBody = Type.Object({
  rate: Type.String({ maxLength: 20, description: 'At most four places.', examples: ['1.0842'] }),
})

export const RateView = Type.Object({
  from: Type.String(),
  to: Type.String(),
  rate: Type.String(),
  set_at: wireTime(),
})

export const CreateWalletBody = Type.Object({
  mode: mode(),
  name: text(255),
  email: email(),
  phone: text(32),
  pin: pin(),
})

export const MoveWalletMoneyBody = Type.Object({
  currency: currency(),
  amount: decimal(),
  note: optional(note(1000)),
})

export const PinBody = Type.Object({ pin: pin() })

export const AuditQuery = Type.Object({
  actor: Type.Optional(note(255)),
  action: Type.Optional(note(255)),
  subject: Type.Optional(note(255)),
  from: Type.Optional(Type.String()),
  to: Type.Optional(Type.String()),
  limit: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
})

export const AuditEntryView = Type.Object({
  id: Type.String(),
  at: wireTime(),
  actor: Type.String(),
  action: Type.String(),
  subject: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  request_id: nullable(Type.String()),
})

export const OperatorTokenBody = Type.Object({ label: text(255) })
