import Type, { type Static } from 'typebox'
import {
  described,
  integer,
  listOf,
  mode,
  note,
  nullable,
  optional,
  string,
  text,
  wireTime,
} from './fields.ts'
import { SCOPES } from './values.ts'

export const KeyParams = Type.Object({ apiKey: string('The API key.') })
export type KeyParams = Static<typeof KeyParams>

const keyScopes = (description: string) =>
  optional(Type.Array(Type.Enum(SCOPES), { minItems: 1, maxItems: SCOPES.length, description }))
const keyExpiry = () =>
  optional(
    Type.String({
      maxLength: 40,
      description:
        'Time when the key stops working; `YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601. The default is never.',
    }),
  )

export const CreateKeyBody = Type.Object(
  {
    label: described(text(255), 'A name for the key.'),
    scopes: keyScopes('The scopes of the key. The default is `read` and `create`.'),
    expires_at: keyExpiry(),
  },
  { title: 'CreateKeyBody' },
)
export type CreateKeyBody = Static<typeof CreateKeyBody>
export const IssueCredentialBody = Type.Object(
  {
    mode: mode(),
    label: optional(described(note(255), 'A name for the key.')),
    scopes: keyScopes('The scopes of the key. The default is all scopes.'),
    expires_at: keyExpiry(),
  },
  { title: 'IssueCredentialBody' },
)
export type IssueCredentialBody = Static<typeof IssueCredentialBody>

export const Credential = Type.Object(
  {
    api_key: string('Send it as the `api-key` header.'),
    store_id: integer("The store's number."),
    mode: mode(),
    label: string('The name of the key.'),
    scopes: Type.Array(Type.Enum(SCOPES), { description: 'The scopes of the key.' }),
    created_at: wireTime('Time of creation, UTC.'),
    expires_at: nullable(wireTime('Time when the key stops working, UTC. Null means never.')),
    previous_secret_until: nullable(
      wireTime('Time until which the previous secret works too, UTC. Null if there is none.'),
    ),
    revoked_at: nullable(wireTime('Time of revocation, UTC. Null if the key is not revoked.')),
    last_used_at: nullable(
      wireTime('Time of the last use, UTC, to the minute. Null if it has not been used yet.'),
    ),
  },
  { title: 'Credential', description: 'The API key, without its secret.' },
)
export type Credential = Static<typeof Credential>

export const CredentialList = Type.Object(
  { credentials: listOf(Credential, 'All API keys of the store.') },
  { title: 'CredentialList', description: 'The API keys.' },
)
export type CredentialList = Static<typeof CredentialList>

export const IssuedCredential = Type.Object(
  {
    ...Credential.properties,
    api_secret: string('Send it as the `api-secret` header. It is shown only once.'),
    webhook_secret: string('Secret that signs the events of this store and mode, `whsec_…`.'),
  },
  { title: 'IssuedCredential', description: 'The API key and its secret.' },
)
export type IssuedCredential = Static<typeof IssuedCredential>

export const RotateKeyBody = Type.Object(
  {
    overlap_seconds: optional(
      Type.Integer({
        minimum: 0,
        maximum: 7 * 86400,
        description: 'Seconds until the old secret stops working. The default is one day.',
      }),
    ),
  },
  { title: 'RotateKeyBody' },
)
export type RotateKeyBody = Static<typeof RotateKeyBody>
