import Type, { type Static } from 'typebox'
import {
  described,
  integer,
  mode,
  nextCursor,
  note,
  nullable,
  optional,
  string,
  wireTime,
} from './fields.ts'
import { AuditEntry } from './operator.ts'
import { PaymentDetails, paymentId } from './payments.ts'
import { Activity, Wallet } from './wallet.ts'
import { eventFields, PaymentWebhooks } from './webhooks.ts'

const goOn = {
  cursor: optional(described(note(100), '`next_cursor` of the answer before; absent at first.')),
}

/** What a merchant's server was told about somebody. */
const told = {
  id: eventFields.id,
  type: eventFields.type,
  payment_id: paymentId(),
  created_at: eventFields.created_at,
  about: Type.Unknown({ description: 'What it said about them; null once it is not kept.' }),
}
const { attempts } = PaymentWebhooks.properties.events.items.properties
const { body: ___, ...withoutBody } = attempts.items.properties
const OLDEST_FIRST = { description: 'What was told about these, oldest first.' }

export const ExportPayerBody = Type.Object(goOn, { title: 'ExportPayerBody' })
export type ExportPayerBody = Static<typeof ExportPayerBody>

export const PayerExport = Type.Object(
  {
    wallet: described(Wallet, 'The payer.'),
    created_at: wireTime('Since when there is this wallet, UTC.'),
    sessions: Type.Array(
      Type.Object({
        created_at: wireTime('Since when, UTC.'),
        expires_at: wireTime('Until when, UTC.'),
      }),
      { description: 'Where the payer is signed in; with the first page only.' },
    ),
    log: Type.Array(AuditEntry, {
      description: 'What operators did to the wallet, newest first; with the first page only.',
    }),
    log_complete: Type.Boolean({
      description: 'False where the log has more; the rest is in the audit log of this wallet.',
    }),
    activity: Activity.properties.activity,
    webhooks: Type.Array(
      Type.Object({
        ...told,
        host: nullable(string('Whose server was told; null where nobody was.')),
        attempts: Type.Array(Type.Object(withoutBody), {
          description: 'Every attempt, in order of time.',
        }),
      }),
      OLDEST_FIRST,
    ),
    next_cursor: nextCursor(),
  },
  { title: 'PayerExport' },
)
export type PayerExport = Static<typeof PayerExport>

export const ErasedPayer = Type.Object(
  {
    ...Wallet.properties,
    payments: integer('How many payments no longer name the payer.'),
  },
  { title: 'ErasedPayer' },
)
export type ErasedPayer = Static<typeof ErasedPayer>

/** By either; what both name are the payments of one client. */
export const ClientBody = Type.Object(
  {
    email: optional(described(note(254), 'Its e-mail address; capitals do not matter.')),
    phone: optional(
      described(note(40), 'Its phone number, with or without dial code; only digits matter.'),
    ),
    ...goOn,
  },
  { title: 'ClientBody' },
)
export type ClientBody = Static<typeof ClientBody>
export const OperatorClientBody = Type.Object(
  { mode: mode(), ...ClientBody.properties },
  { title: 'OperatorClientBody' },
)
export type OperatorClientBody = Static<typeof OperatorClientBody>

const { user: _, webhook: __, ...ofClient } = PaymentDetails.properties

export const ClientExport = Type.Object(
  {
    payments: Type.Array(
      Type.Object({
        ...ofClient,
        return_url: nullable(string('Where the checkout page links back to.')),
      }),
      { description: 'Newest first.' },
    ),
    webhooks: Type.Array(
      Type.Object({
        ...told,
        url: nullable(string('Who was told; null where nobody was.')),
        attempts,
      }),
      OLDEST_FIRST,
    ),
    next_cursor: described(
      nullable(Type.String()),
      'Further back nothing was looked at yet: ask again with it. Null at the end.',
    ),
  },
  { title: 'ClientExport' },
)
export type ClientExport = Static<typeof ClientExport>

export const ErasedClient = Type.Object(
  {
    payments: integer('How many payments no longer name the client.'),
    next_cursor: ClientExport.properties.next_cursor,
  },
  { title: 'ErasedClient' },
)
export type ErasedClient = Static<typeof ErasedClient>
