import Type, { type Static } from 'typebox'
import {
  base64url,
  boolean,
  described,
  integer,
  listOf,
  note,
  nullable,
  openObject,
  optional,
  string,
  text,
  wireTime,
} from './fields.ts'

const DUE_AT_DESCRIPTION =
  'Time from which the account needs a second factor to continue, UTC. Null if it has one or needs none.'

export const AccountState = Type.Object(
  {
    password_change_required: boolean(
      'True if another person chose or saw the password. Until you change it, you can only read the session, change the password and sign out.',
    ),
    has_passkey: boolean('True if the account has a passkey.'),
    has_totp: boolean('True if the account has an authenticator app.'),
    second_factor_due_at: nullable(wireTime(DUE_AT_DESCRIPTION)),
  },
  {
    title: 'AccountState',
    description: 'The second factors of the account, and what you must do before you can continue.',
  },
)
export type AccountState = Static<typeof AccountState>

export const Passkey = Type.Object(
  {
    passkey_id: string("The passkey's id."),
    name: string('The name that you gave it.'),
    created_at: wireTime('Time of creation, UTC.'),
    last_used_at: nullable(
      wireTime('Time of the last use, UTC. Null if it has not been used yet.'),
    ),
  },
  { title: 'Passkey', description: 'A passkey.' },
)
export type Passkey = Static<typeof Passkey>

export const Account = Type.Object(
  {
    email: string('Email address for signing in.'),
    name: string('Your name.'),
    passkeys: listOf(Passkey, 'Your passkeys, oldest first.'),
    totp_active: boolean('True if an authenticator app is set up.'),
    recovery_codes_left: integer('Number of recovery codes that you have not used.'),
    second_factor_due_at: nullable(wireTime(DUE_AT_DESCRIPTION)),
  },
  { title: 'Account', description: 'Your account and its second factors.' },
)
export type Account = Static<typeof Account>

export const PasskeyOptions = Type.Object(
  {
    options: openObject(
      'Pass it to `navigator.credentials` after decoding it, for example with `parseCreationOptionsFromJSON()` or `parseRequestOptionsFromJSON()` of `PublicKeyCredential`. The challenge works once, for 5 minutes.',
    ),
  },
  { title: 'PasskeyOptions', description: 'The options for the browser.' },
)
export type PasskeyOptions = Static<typeof PasskeyOptions>

const credentialId = () => base64url(1400, 'The id of the credential.')
const clientData = () =>
  base64url(10_000, 'The client data, which contains the challenge and the origin.')

export const PasskeyRegistration = Type.Object(
  {
    id: credentialId(),
    response: Type.Object(
      {
        clientDataJSON: clientData(),
        attestationObject: base64url(
          50_000,
          'The attestation object, which contains the new public key.',
        ),
        transports: optional(
          Type.Array(note(40), {
            maxItems: 10,
            description: 'How the authenticator is connected.',
          }),
        ),
      },
      { description: 'The response of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyRegistration',
    description: 'The result of `navigator.credentials.create()`, as its `toJSON()` returns it.',
  },
)
export type PasskeyRegistration = Static<typeof PasskeyRegistration>

export const PasskeyAssertion = Type.Object(
  {
    id: credentialId(),
    response: Type.Object(
      {
        clientDataJSON: clientData(),
        authenticatorData: base64url(10_000, 'The authenticator data that was signed.'),
        signature: base64url(2000, 'The signature.'),
      },
      { description: 'The response of the authenticator.' },
    ),
  },
  {
    title: 'PasskeyAssertion',
    description: 'The result of `navigator.credentials.get()`, as its `toJSON()` returns it.',
  },
)
export type PasskeyAssertion = Static<typeof PasskeyAssertion>

export const PasskeySignInBody = Type.Object(
  { passkey: PasskeyAssertion },
  { title: 'PasskeySignInBody' },
)
export type PasskeySignInBody = Static<typeof PasskeySignInBody>

export const PasskeyBody = Type.Object(
  {
    name: described(text(100), 'A name for the passkey, such as "Work laptop".'),
    passkey: PasskeyRegistration,
  },
  { title: 'PasskeyBody' },
)
export type PasskeyBody = Static<typeof PasskeyBody>

const codes = (description: string) => Type.Array(Type.String(), { description })
const firstCodes = nullable(
  codes(
    'Ten recovery codes if you had no second factor before, otherwise null. They are shown only once.',
  ),
)
export const AddedPasskey = Type.Object(
  { passkey: Passkey, recovery_codes: firstCodes },
  { title: 'AddedPasskey', description: 'The passkey.' },
)
export type AddedPasskey = Static<typeof AddedPasskey>

export const PasskeyParams = Type.Object({ passkeyId: string("The passkey's id.") })
export type PasskeyParams = Static<typeof PasskeyParams>

export const TotpSecret = Type.Object(
  {
    secret: string('The secret in base32, to type into the app.'),
    uri: string('The secret as an `otpauth://` URI.'),
    qr_svg: string('The URI as a QR code, an SVG image.'),
  },
  { title: 'TotpSecret', description: 'The secret for the authenticator app. It is shown once.' },
)
export type TotpSecret = Static<typeof TotpSecret>

const code = (description: string) => Type.String({ maxLength: 100, description })
export const CodeBody = Type.Object(
  { code: code('The code that the app shows now.') },
  { title: 'CodeBody' },
)
export type CodeBody = Static<typeof CodeBody>

export const AddedTotp = Type.Object(
  { recovery_codes: firstCodes },
  { title: 'AddedTotp', description: 'The authenticator app is set up.' },
)
export type AddedTotp = Static<typeof AddedTotp>

export const RecoveryCodes = Type.Object(
  { recovery_codes: codes('Ten codes. Each works once. They are shown only once.') },
  { title: 'RecoveryCodes', description: 'The new recovery codes. The old ones no longer work.' },
)
export type RecoveryCodes = Static<typeof RecoveryCodes>

export const ConfirmBody = Type.Object(
  {
    password: optional(Type.String({ maxLength: 200, description: 'Your password.' })),
    code: optional(code('A code from your authenticator app.')),
    passkey: Type.Optional(PasskeyAssertion),
  },
  { title: 'ConfirmBody', description: 'Exactly one of the three.' },
)
export type ConfirmBody = Static<typeof ConfirmBody>
