import Type, { type Static } from 'typebox'
import { AccountState } from './account.ts'
import {
  boolean,
  described,
  email,
  listOf,
  locale,
  nullable,
  optional,
  password,
  string,
  text,
  wireTime,
} from './fields.ts'
import { PersonSession } from './people.ts'
import { OPERATOR_ROLES, PERMISSIONS } from './values.ts'

const EMAIL_DESCRIPTION = 'Email address for signing in.'
const NAME_DESCRIPTION = "The operator's name."
const ROLE_DESCRIPTION =
  '`admin` can do everything, `finance` moves money and sets rates, `support` manages wallets and exports or erases personal data, and `auditor` only reads.'

const operator = {
  operator_id: string("The operator's id."),
  email: string(EMAIL_DESCRIPTION),
  name: string(NAME_DESCRIPTION),
  role: Type.Enum(OPERATOR_ROLES, { description: ROLE_DESCRIPTION }),
}
export const Operator = Type.Object(
  {
    ...operator,
    created_at: wireTime('Time of creation, UTC.'),
    disabled_at: nullable(
      wireTime('Time when the operator was disabled, UTC. Null if the operator is enabled.'),
    ),
    invited_at: nullable(
      wireTime('Time of the emailed invitation, UTC. Null if the operator has a password.'),
    ),
  },
  { title: 'Operator', description: 'The operator.' },
)
export type Operator = Static<typeof Operator>

const ListedOperator = Type.Object(
  {
    ...Operator.properties,
    has_second_factor: boolean('True if the operator has a passkey or an authenticator app.'),
  },
  { title: 'ListedOperator', description: 'The operator.' },
)

export const OperatorList = Type.Object(
  { operators: listOf(ListedOperator, 'All operators.') },
  { title: 'OperatorList', description: 'The operators.' },
)
export type OperatorList = Static<typeof OperatorList>

export const OperatorParams = Type.Object({ operatorId: string("The operator's id.") })
export type OperatorParams = Static<typeof OperatorParams>

const profile = {
  email: described(email(), EMAIL_DESCRIPTION),
  name: described(text(255), NAME_DESCRIPTION),
}
export const OperatorBody = Type.Object(
  {
    ...profile,
    role: Type.Enum(OPERATOR_ROLES, { description: ROLE_DESCRIPTION }),
    password: optional(
      described(
        password(),
        'If absent, an invitation is emailed. Without a mail server, a password is generated and shown once.',
      ),
    ),
    locale: optional(described(locale(), "The language of the operator's emails.")),
  },
  { title: 'OperatorBody' },
)
export type OperatorBody = Static<typeof OperatorBody>

const generatedPassword = string('The generated password. It is shown only once.')
export const CreatedOperator = Type.Object(
  { ...Operator.properties, password: Type.Optional(generatedPassword) },
  { title: 'CreatedOperator', description: 'The operator, with a generated password if any.' },
)
export type CreatedOperator = Static<typeof CreatedOperator>

export const ChangeOperatorBody = Type.Object(
  {
    name: Type.Optional(profile.name),
    role: Type.Optional(Type.Enum(OPERATOR_ROLES, { description: ROLE_DESCRIPTION })),
    disabled: Type.Optional(
      boolean(
        'If true, the operator cannot sign in, all their sessions end, and their tokens stop working.',
      ),
    ),
  },
  { title: 'ChangeOperatorBody' },
)
export type ChangeOperatorBody = Static<typeof ChangeOperatorBody>

export const ResetOperator = Type.Object(
  { ...Operator.properties, password: generatedPassword },
  { title: 'ResetOperator', description: 'The operator and the new password.' },
)
export type ResetOperator = Static<typeof ResetOperator>

const { session_id, expires_at } = PersonSession.properties
export const SignedInOperator = Type.Object(
  {
    account: AccountState,
    operator: Type.Object(
      {
        ...operator,
        permissions: Type.Array(Type.Enum(PERMISSIONS), {
          description: 'What the role of the operator allows.',
        }),
      },
      { description: 'The signed-in operator.' },
    ),
    session: Type.Object({ session_id, expires_at }, { description: 'The current session.' }),
  },
  { title: 'SignedInOperator', description: 'The operator and the session.' },
)
export type SignedInOperator = Static<typeof SignedInOperator>

export const SetupState = Type.Object(
  { open: boolean('True until the first operator is created.') },
  { title: 'SetupState', description: 'The state of the setup.' },
)
export type SetupState = Static<typeof SetupState>

export const SetupBody = Type.Object(
  {
    code: Type.String({
      maxLength: 100,
      description: 'The setup code that the server prints when it starts.',
    }),
    ...profile,
    password: described(password(), 'Password for signing in.'),
  },
  { title: 'SetupBody' },
)
export type SetupBody = Static<typeof SetupBody>

export const SecuritySettings = Type.Object(
  {
    operator_second_factor: boolean(
      'True if operators need a second factor. They have 7 days to set one up.',
    ),
  },
  { title: 'SecuritySettings', description: 'The security settings of the service.' },
)
export type SecuritySettings = Static<typeof SecuritySettings>
