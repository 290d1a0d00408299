import Type, { type Static } from 'typebox'
import {
  boolean,
  currency,
  currencyCode,
  cursorQuery,
  decimal,
  described,
  email,
  limitQuery,
  locale,
  mode,
  money,
  nextCursor,
  nullable,
  optional,
  pin,
  string,
  text,
  wireTime,
} from './fields.ts'
import { Wallet, WalletSessionBody } from './wallet.ts'

const typedPin = (description: string) => Type.String({ maxLength: 64, description })

export const Activation = Type.Object(
  {
    code: nullable(
      string(
        'The activation code. It is shown only once and works once. Null if it is only emailed.',
      ),
    ),
    url: nullable(
      string(
        'Link to the page where the payer chooses the PIN. Show it as a QR code. Null if it is only emailed.',
      ),
    ),
    expires_at: wireTime('Time when the code expires, UTC.'),
    mailed_to: nullable(
      string(
        'Address that the code is emailed to. Null if mail is not set up, if the address cannot get email, or if it already got 10 codes within an hour and you lack the permission `admin`.',
      ),
    ),
  },
  { title: 'Activation', description: 'The code with which the payer chooses the PIN.' },
)
export type Activation = Static<typeof Activation>

export const CreatedWallet = Type.Object(
  {
    ...Wallet.properties,
    activation: described(nullable(Activation), 'Null if the wallet was created with a PIN.'),
  },
  { title: 'CreatedWallet', description: 'The new wallet.' },
)
export type CreatedWallet = Static<typeof CreatedWallet>

export const ActivationBody = Type.Object(
  {
    end_sessions: optional(
      described(
        Type.Boolean(),
        'True to end all sessions and disable the current PIN now. By default, the current PIN works until the payer chooses another one.',
      ),
    ),
  },
  { title: 'ActivationBody' },
)
export type ActivationBody = Static<typeof ActivationBody>

export const ActivateBody = Type.Object(
  {
    code: Type.String({
      maxLength: 64,
      description: 'The activation code. Case, spaces and dashes are ignored.',
    }),
    pin: described(pin(), 'The PIN that the payer chooses: 4 to 8 digits, not easy to guess.'),
    cookie: WalletSessionBody.properties.cookie,
    locale: optional(described(locale(), 'Language of emails.')),
  },
  { title: 'ActivateBody' },
)
export type ActivateBody = Static<typeof ActivateBody>

export const SignupBody = Type.Object(
  {
    name: described(text(255), 'Your name.'),
    email: described(email(), 'Email address that the code is sent to.'),
    phone: described(text(32), 'Phone number for signing in, in international format.'),
    mode: optional(described(mode(), 'Live by default.')),
    locale: optional(described(locale(), 'Language of emails.')),
  },
  { title: 'SignupBody' },
)
export type SignupBody = Static<typeof SignupBody>

export const ChangePinBody = Type.Object(
  {
    current: typedPin('Your current PIN.'),
    new: described(pin(), 'New PIN of 4 to 8 digits that is not easy to guess.'),
  },
  { title: 'ChangePinBody' },
)
export type ChangePinBody = Static<typeof ChangePinBody>

export const ChangedPin = Type.Object(
  {
    device_token: Type.Optional(
      described(
        Type.String(),
        'The new device token, which replaces that of the last sign-in. Absent if it is sent as a cookie.',
      ),
    ),
  },
  { title: 'ChangedPin', description: 'After a change of the PIN, the device stays known.' },
)
export type ChangedPin = Static<typeof ChangedPin>

const PinLimit = Type.Object(
  {
    currency: currencyCode(),
    amount: money('A payment above this amount needs the PIN.'),
  },
  { title: 'PinLimit' },
)

export const PinLimits = Type.Object(
  {
    limits: Type.Array(PinLimit, { description: 'One limit per currency.' }),
  },
  { title: 'PinLimits', description: 'Limits above which every wallet needs its PIN to pay.' },
)
export type PinLimits = Static<typeof PinLimits>

export const PinLimitBody = Type.Object(
  {
    currency: described(currency(), 'ISO 4217 code in upper case.'),
    amount: described(nullable(decimal()), 'The limit. Null removes it.'),
  },
  { title: 'PinLimitBody' },
)
export type PinLimitBody = Static<typeof PinLimitBody>

export const WalletSettingsBody = Type.Object(
  {
    locale: optional(described(locale(), 'Language of emails.')),
    mail_receipts: optional(
      described(Type.Boolean(), 'True to get receipts and refund notices by email.'),
    ),
    pin_limit: Type.Optional(
      described(
        PinLimitBody,
        "Your own limit in a currency: paying more needs the PIN. The lower of this limit and the service's limit applies.",
      ),
    ),
    pin: optional(typedPin('Your PIN. Needed to raise or remove your own limit.')),
  },
  { title: 'WalletSettingsBody' },
)
export type WalletSettingsBody = Static<typeof WalletSettingsBody>

export const WalletSessions = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        session_id: string("The session's id."),
        user_agent: string('Browser or app that signed in. Empty if unknown.'),
        address: string('IP address of the sign-in. Empty if unknown.'),
        created_at: wireTime('Start of the session, UTC.'),
        last_used_at: wireTime('Time of the last use, UTC, to the minute.'),
        expires_at: wireTime('End of the session, UTC.'),
        current: boolean('True for the session of this request.'),
      }),
      { description: 'The latest 200 sessions, newest first.' },
    ),
  },
  { title: 'WalletSessions', description: 'The sessions of the wallet.' },
)
export type WalletSessions = Static<typeof WalletSessions>

export const WalletSessionParams = Type.Object({ sessionId: string("The session's id.") })
export type WalletSessionParams = Static<typeof WalletSessionParams>

export const WalletEventQuery = Type.Object({ limit: limitQuery(), cursor: cursorQuery() })
export type WalletEventQuery = Static<typeof WalletEventQuery>

export const WalletEvents = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        at: wireTime('Time of the event, UTC.'),
        kind: string('What happened, such as `sign_in`.'),
        is_own: boolean(
          "False if an operator did it. True for everything else, such as a wrong PIN for the payer's phone number.",
        ),
        address: string(
          'IP address that the request came from. Empty if unknown, or if an operator did it.',
        ),
        device: string('Browser or app. Empty if unknown, or if an operator did it.'),
      }),
      { description: 'Events, newest first.' },
    ),
    next_cursor: nextCursor(),
  },
  { title: 'WalletEvents', description: 'One page of security events of the wallet.' },
)
export type WalletEvents = Static<typeof WalletEvents>
