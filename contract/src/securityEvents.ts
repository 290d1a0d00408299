import Type, { type Static } from 'typebox'
import {
  cursorQuery,
  described,
  fromQuery,
  integer,
  integerQuery,
  limitQuery,
  nextCursor,
  note,
  nullable,
  string,
  toQuery,
  wireTime,
} from './fields.ts'
import { SECURITY_EVENT_KINDS } from './values.ts'

const kind = () => Type.Enum(SECURITY_EVENT_KINDS)

/** The query of the events of an account or a store. */
export const OwnSecurityEventQuery = Type.Object({ limit: limitQuery(), cursor: cursorQuery() })
export type OwnSecurityEventQuery = Static<typeof OwnSecurityEventQuery>

export const SecurityEventQuery = Type.Object({
  kind: Type.Optional(described(kind(), 'Filters by kind.')),
  account: Type.Optional(
    described(
      note(255),
      'Filters by account: the id of a person, operator or wallet, or the email address of a person or operator.',
    ),
  ),
  store: integerQuery({
    minimum: 1,
    maximum: 9_999_999,
    description: "Filters by the store's number.",
  }),
  address: Type.Optional(described(note(255), 'Filters by IP address.')),
  from: fromQuery(),
  to: toQuery(),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type SecurityEventQuery = Static<typeof SecurityEventQuery>

export const SecurityEvent = Type.Object(
  {
    id: string("The event's id."),
    at: wireTime('Time of the event, UTC.'),
    kind: described(kind(), 'What happened.'),
    account_id: nullable(
      string(
        'Id of the person, operator or wallet whose events include this one. Null if there is none, as for a sign-in to an unknown account.',
      ),
    ),
    account_email: nullable(string('Email address of the person or operator. Null for others.')),
    store_id: nullable(integer("The store's number. Null if the event belongs to no store.")),
    actor: string(
      'The person, operator, payer, token or user of the command line that caused the event. For a failed sign-in, the email address or wallet that it named, or `unknown`.',
    ),
    address: string(
      'IP address of the request. Empty for the command line, and hidden in lists of a store for actions of operators.',
    ),
    device: string(
      'Browser and system, such as `Chrome on Android`. Empty if unknown, and where `address` is hidden.',
    ),
    user_agent: string('The User-Agent header of the request. Empty where `address` is hidden.'),
    details: Type.Unknown({
      description: 'More about the event, such as the label of an API key.',
    }),
  },
  { title: 'SecurityEvent', description: 'The event.' },
)
export type SecurityEvent = Static<typeof SecurityEvent>

export const SecurityEventList = Type.Object(
  {
    events: Type.Array(SecurityEvent, { description: 'Events, newest first.' }),
    next_cursor: nextCursor(),
  },
  { title: 'SecurityEventList', description: 'One page of security events.' },
)
export type SecurityEventList = Static<typeof SecurityEventList>
