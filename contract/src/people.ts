import Type, { type Static } from 'typebox'
import { AccountState } from './account.ts'
import {
  boolean,
  currencyCode,
  described,
  email,
  integer,
  listOf,
  locale,
  money,
  note,
  nullable,
  optional,
  password,
  string,
  text,
  timeZone,
  wireTime,
} from './fields.ts'
import { STORE_LOCALE_DESCRIPTION } from './merchant.ts'
import { StoreProfile } from './payments.ts'
import { ROLES, SCOPES } from './values.ts'

const role = () => Type.Enum(ROLES, { description: 'The role of the person.' })

export const Person = Type.Object(
  {
    person_id: string("The person's id."),
    store_id: integer("The store's number."),
    email: string('Email address for signing in.'),
    name: string("The person's name."),
    role: role(),
    created_at: wireTime('Time of creation, UTC.'),
    disabled_at: nullable(
      wireTime('Time when the person was disabled, UTC. Null if the person is enabled.'),
    ),
    invited_at: nullable(
      wireTime('Time of the emailed invitation, UTC. Null if the person has a password.'),
    ),
  },
  { title: 'Person', description: 'A person who works for a store.' },
)
export type Person = Static<typeof Person>

export const ListedPerson = Type.Object(
  {
    ...Person.properties,
    has_second_factor: boolean('True if the person has a passkey or an authenticator app.'),
  },
  { title: 'ListedPerson', description: 'A person who works for a store.' },
)
export type ListedPerson = Static<typeof ListedPerson>

export const People = Type.Object(
  { people: listOf(ListedPerson, 'People, in order of creation.') },
  { title: 'People', description: 'The people of a store.' },
)
export type People = Static<typeof People>

const FoundPerson = Type.Object(
  { ...ListedPerson.properties, store_name: string("The store's name.") },
  { title: 'FoundPerson', description: "A person who works for a store, with the store's name." },
)

export const FoundPeople = Type.Object(
  { people: listOf(FoundPerson, 'People, by name.') },
  { title: 'FoundPeople', description: 'People of any store.' },
)
export type FoundPeople = Static<typeof FoundPeople>

const generatedPassword = string('The new password. It is shown only once.')

export const PersonParams = Type.Object({ personId: string("The person's id.") })
export type PersonParams = Static<typeof PersonParams>
export const PersonBody = Type.Object(
  {
    email: described(email(), 'Email address for signing in. It must be unique.'),
    name: described(text(255), "The person's name."),
    role: role(),
    password: optional(
      described(
        password(),
        'The password. By default an invitation is emailed. Without a mail server, a password is generated and shown once.',
      ),
    ),
    locale: optional(described(locale(), "The language of the person's emails.")),
  },
  { title: 'PersonBody' },
)
export type PersonBody = Static<typeof PersonBody>
export const CreatedPerson = Type.Object(
  {
    ...Person.properties,
    password: Type.Optional(generatedPassword),
  },
  { title: 'CreatedPerson' },
)
export type CreatedPerson = Static<typeof CreatedPerson>
export const FindPersonQuery = Type.Object({
  email: Type.Optional(
    Type.String({ maxLength: 254, description: 'Returns only the person with this address.' }),
  ),
  search: Type.Optional(
    described(
      note(255),
      'Returns at most 50 people with these words in their names or addresses. The beginning of a word is enough.',
    ),
  ),
})
export type FindPersonQuery = Static<typeof FindPersonQuery>
export const ChangePersonBody = Type.Object(
  {
    name: Type.Optional(described(text(255), "The person's name.")),
    role: Type.Optional(role()),
    disabled: Type.Optional(boolean('True to disable the person and end all their sessions.')),
  },
  { title: 'ChangePersonBody' },
)
export type ChangePersonBody = Static<typeof ChangePersonBody>
export const ResetPerson = Type.Object(
  { ...Person.properties, password: generatedPassword },
  { title: 'ResetPerson' },
)
export type ResetPerson = Static<typeof ResetPerson>

export const SignInBody = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'Your email address.' }),
    password: Type.String({ maxLength: 200, description: 'Your password.' }),
    code: optional(
      Type.String({
        maxLength: 100,
        description:
          'A code from your authenticator app, or a recovery code. Needed if the account has a second factor.',
      }),
    ),
    locale: optional(described(locale(), 'The language of the page. Your emails use it.')),
  },
  { title: 'SignInBody' },
)
export type SignInBody = Static<typeof SignInBody>

export const SignedInPerson = Type.Object(
  {
    account: AccountState,
    person: Type.Object(
      {
        person_id: string("The person's id."),
        email: string('Email address for signing in.'),
        name: string("The person's name."),
        role: role(),
      },
      { description: 'The signed-in person.' },
    ),
    may: Type.Array(Type.Enum(SCOPES), { description: 'The scopes of the role.' }),
    refund_cap: nullable(
      money('Maximum gross that the role can refund. Null if there is no maximum.'),
    ),
    session: Type.Object(
      {
        session_id: string("The session's id. It is not secret."),
        expires_at: wireTime('Time when the session expires, UTC.'),
      },
      { description: 'The current session.' },
    ),
    store: Type.Object(
      {
        id: integer("The store's number."),
        ...StoreProfile.properties,
        currency: currencyCode(),
        time_zone: timeZone(),
        locale: described(nullable(locale()), STORE_LOCALE_DESCRIPTION),
        suspended: boolean('True if the operator has suspended the store.'),
      },
      { description: 'The store of the person.' },
    ),
  },
  { title: 'SignedInPerson', description: 'The signed-in person, with role, session and store.' },
)
export type SignedInPerson = Static<typeof SignedInPerson>

export const SessionParams = Type.Object({ sessionId: string("The session's id.") })
export type SessionParams = Static<typeof SessionParams>
export const PersonSession = Type.Object(
  {
    session_id: string("The session's id. It is not secret."),
    created_at: wireTime('Time of sign-in, UTC.'),
    last_used_at: wireTime('Time of the last use, UTC, to the minute.'),
    expires_at: wireTime('Time when the session expires, UTC.'),
    user_agent: string('The User-Agent header of the browser.'),
    address: string('The IP address of the sign-in.'),
    current: boolean('True for the session of this request.'),
  },
  { title: 'PersonSession' },
)
export type PersonSession = Static<typeof PersonSession>

export const PersonSessions = Type.Object(
  { sessions: listOf(PersonSession, 'The latest 200 sessions, newest first.') },
  { title: 'PersonSessions', description: 'The sessions of the person.' },
)
export type PersonSessions = Static<typeof PersonSessions>

export const PasswordBody = Type.Object(
  {
    current: optional(
      Type.String({
        maxLength: 200,
        description:
          'Your current password. Not needed if the password must be changed, the account has no passkey, and you signed in less than 15 minutes ago.',
      }),
    ),
    new: described(password(), 'Your new password.'),
  },
  { title: 'PasswordBody' },
)
export type PasswordBody = Static<typeof PasswordBody>
