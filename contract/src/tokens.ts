import Type, { type Static } from 'typebox'
import {
  boolean,
  described,
  integer,
  listOf,
  nextCursor,
  nullable,
  optional,
  string,
  text,
  wireTime,
} from './fields.ts'
import { PageQuery } from './operator.ts'
import { PERMISSIONS } from './values.ts'

const SCOPES_DESCRIPTION =
  '`metrics` reads `/metrics`; `read` reads everything; `support`, `money` and `admin` also allow the changes that the roles `support`, `finance` and `admin` can make. `admin` includes all others.'

export const TokenBody = Type.Object(
  {
    label: described(text(255), 'A name for the token. You can use it for one active token only.'),
    scopes: Type.Array(Type.Enum(PERMISSIONS), {
      minItems: 1,
      maxItems: PERMISSIONS.length,
      description: SCOPES_DESCRIPTION,
    }),
    expires_at: optional(
      Type.String({
        maxLength: 40,
        description:
          'Time when the token stops working; `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. At most 366 days from now; the default is 90 days.',
      }),
    ),
  },
  { title: 'TokenBody' },
)
export type TokenBody = Static<typeof TokenBody>

export const OperatorToken = Type.Object(
  {
    token_id: string("The token's id."),
    label: string('The name of the token.'),
    owner: string(
      'The email address of the operator it belongs to, or `command line`, `demo` or `unknown`.',
    ),
    scopes: Type.Array(Type.Enum(PERMISSIONS), {
      description: 'What the token allows, unless the role of its owner forbids it.',
    }),
    created_at: wireTime('Time of creation, UTC.'),
    expires_at: wireTime('Time when the token stops working, UTC.'),
    last_used_at: nullable(
      wireTime('Time of the last use, UTC, to the minute. Null if it has not been used yet.'),
    ),
    revoked_at: nullable(wireTime('Time of revocation, UTC. Null if the token is not revoked.')),
    state: Type.Enum(['active', 'revoked', 'expired', 'owner_disabled'], {
      description: 'Only an `active` token works.',
    }),
    upgraded: boolean('True if it was created before tokens had scopes and an expiry.'),
  },
  { title: 'OperatorToken', description: 'The token, without its secret.' },
)
export type OperatorToken = Static<typeof OperatorToken>

export const IssuedToken = Type.Object(
  {
    ...OperatorToken.properties,
    token: string('Send it as a bearer token. It is shown only once.'),
  },
  { title: 'IssuedToken', description: 'The token.' },
)
export type IssuedToken = Static<typeof IssuedToken>

export const TokenQuery = Type.Object({
  ...PageQuery.properties,
  state: Type.Optional(
    Type.Enum(['active', 'ended'], {
      description: 'Only tokens that work, or only those that do not.',
    }),
  ),
})
export type TokenQuery = Static<typeof TokenQuery>

export const TokenList = Type.Object(
  {
    tokens: listOf(OperatorToken, 'Tokens of all owners, newest first.'),
    upgraded: integer('Number of active tokens from before tokens had scopes and an expiry.'),
    next_cursor: nextCursor(),
  },
  { title: 'TokenList', description: 'One page of tokens.' },
)
export type TokenList = Static<typeof TokenList>

export const TokenParams = Type.Object({ tokenId: string("The token's id.") })
export type TokenParams = Static<typeof TokenParams>
