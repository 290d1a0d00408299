import Type, { type Static } from 'typebox'
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
import { PersonSession } from './store.ts'

const EMAIL = 'E-mail address for signing in.'
const NAME = "The operator's name."

const operator = {
  operator_id: string("The operator's id."),
  email: string(EMAIL),
  name: string(NAME),
}
export const Operator = Type.Object(
  {
    ...operator,
    created_at: wireTime('Time of creation, UTC.'),
    disabled_at: nullable(
      wireTime('Time when the operator was disabled, UTC. Null if the operator can sign in.'),
    ),
    invited_at: nullable(
      wireTime('Time of the mailed invitation, UTC. Null if the operator has a password.'),
    ),
  },
  { title: 'Operator', description: 'The operator.' },
)
export type Operator = Static<typeof Operator>

export const OperatorList = Type.Object(
  { operators: listOf(Operator, 'All operators.') },
  { title: 'OperatorList', description: 'The operators.' },
)
export type OperatorList = Static<typeof OperatorList>

export const OperatorParams = Type.Object({ operatorId: string("The operator's id.") })
export type OperatorParams = Static<typeof OperatorParams>

const profile = {
  email: described(email(), EMAIL),
  name: described(text(255), NAME),
}
export const OperatorBody = Type.Object(
  {
    ...profile,
    password: optional(
      described(
        password(),
        'If absent, an invitation is mailed. Without a mail server, a password is generated and shown once.',
      ),
    ),
    locale: optional(described(locale(), "The language of the operator's mails.")),
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
    disabled: Type.Optional(
      boolean('If true, the operator cannot sign in, and all their sessions end.'),
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
    operator: Type.Object(operator, { description: 'The signed-in operator.' }),
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

export const TokenBody = Type.Object(
  { label: described(text(255), 'A name for the token. The audit log shows it.') },
  { title: 'TokenBody' },
)
export type TokenBody = Static<typeof TokenBody>

const label = string('The name of the token.')
export const IssuedToken = Type.Object(
  { label, token: string('Send it as a bearer token. It is shown only once.') },
  { title: 'IssuedToken', description: 'The token.' },
)
export type IssuedToken = Static<typeof IssuedToken>

export const TokenParams = Type.Object({ label })
export type TokenParams = Static<typeof TokenParams>

export const RevokedTokens = Type.Object(
  { label },
  { title: 'RevokedTokens', description: 'The revoked tokens.' },
)
export type RevokedTokens = Static<typeof RevokedTokens>
