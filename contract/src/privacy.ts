import Type, { type Static } from 'typebox'
import {
  boolean,
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
import { PaymentDetails, paymentId } from './payments.ts'
import { AuditEntry } from './platform.ts'
import { TEMPLATES } from './values.ts'
import { Wallet } from './wallet.ts'
import { PayerTransfers } from './walletActivity.ts'
import { eventFields, PaymentWebhooks } from './webhooks.ts'

const cursor = optional(
  described(note(100), '`next_cursor` of the previous page. Absent for the first page.'),
)

const ATTEMPTS_DESCRIPTION = 'The latest attempts, oldest first.'
const attempts = described(
  PaymentWebhooks.properties.events.items.properties.attempts,
  ATTEMPTS_DESCRIPTION,
)
const { body: _body, ...attemptWithoutBody } = attempts.items.properties

/** An event of a payment, with only the data about one person. */
const event = {
  id: eventFields.id,
  type: eventFields.type,
  payment_id: paymentId(),
  created_at: eventFields.created_at,
  about: Type.Unknown({
    description:
      'Data about the person in the webhook. Null if it was deleted, or if the payment has no `webhook_url`.',
  }),
}
const EVENTS = { description: 'Events of the payments on this page, oldest first.' }

export const ExportPayerBody = Type.Object({ cursor }, { title: 'ExportPayerBody' })
export type ExportPayerBody = Static<typeof ExportPayerBody>

export const PayerExport = Type.Object(
  {
    wallet: described(Wallet, 'The wallet.'),
    created_at: wireTime('Time when the wallet was created, UTC.'),
    sessions: Type.Array(
      Type.Object({
        created_at: wireTime('Start of the session, UTC.'),
        last_used_at: wireTime('Time of the last use, UTC, to the minute.'),
        expires_at: wireTime('End of the session, UTC.'),
        user_agent: string('Browser or app that signed in.'),
        address: string('IP address of the sign-in.'),
      }),
      { description: 'The latest 200 sessions of the payer. Only on the first page.' },
    ),
    mails: Type.Array(
      Type.Object({
        template: Type.Enum(TEMPLATES, { description: 'What the email is about.' }),
        created_at: wireTime('Time when the email was written, UTC.'),
        sent_at: nullable(
          wireTime('Time when it was sent, UTC. Null if it has not been sent yet.'),
        ),
      }),
      {
        description:
          'The latest 1,000 emails to the payer that are still stored. Only on the first page.',
      },
    ),
    security_events: Type.Array(
      Type.Object({
        at: wireTime('Time of the event, UTC.'),
        kind: string('What happened.'),
        address: string('IP address of the request. Empty if an operator did it.'),
        device: string('Browser or app of the request. Empty if an operator did it.'),
      }),
      { description: 'The latest 1,000 security events, newest first. Only on the first page.' },
    ),
    signups: Type.Array(
      Type.Object({
        name: string('Name.'),
        email: string('Email address.'),
        phone: string('Phone number.'),
        created_at: wireTime('Time of the request, UTC.'),
      }),
      { description: 'Requests of the last hour to open a wallet. Only on the first page.' },
    ),
    log: Type.Array(AuditEntry, {
      description: 'Audit log of the wallet, newest first. Only on the first page.',
    }),
    log_complete: boolean(
      'False if the audit log has more entries than `log`. To get them, filter the audit log by this wallet. Always true after the first page.',
    ),
    favourite_stores: Type.Array(integer("The store's number."), {
      description: 'Stores that the payer marked as favourites. Only on the first page.',
    }),
    activity: PayerTransfers,
    archived_payments: Type.Array(string("The payment's id."), {
      description:
        'Payments whose transfers are archived, oldest first. They begin on the last page of `activity`.',
    }),
    webhooks: Type.Array(
      Type.Object({
        ...event,
        host: nullable(
          string('Host that the event was posted to. Null if there was no `webhook_url`.'),
        ),
        attempts: Type.Array(Type.Object(attemptWithoutBody), {
          description: ATTEMPTS_DESCRIPTION,
        }),
      }),
      EVENTS,
    ),
    next_cursor: nextCursor(),
  },
  { title: 'PayerExport', description: 'One page of the data about a payer.' },
)
export type PayerExport = Static<typeof PayerExport>

export const ErasedPayer = Type.Object(
  {
    ...Wallet.properties,
    payments: integer('Number of payments from which the payer was erased.'),
  },
  { title: 'ErasedPayer', description: 'The erased wallet.' },
)
export type ErasedPayer = Static<typeof ErasedPayer>

/** Selects the payments of one client. If both `email` and `phone` are present, either can match. */
export const ClientBody = Type.Object(
  {
    email: optional(described(note(254), 'Email address of the client, in upper or lower case.')),
    phone: optional(
      described(
        note(40),
        'Phone number of the client, with or without dial code. Only digits are compared.',
      ),
    ),
    cursor,
  },
  { title: 'ClientBody' },
)
export type ClientBody = Static<typeof ClientBody>
export const OperatorClientBody = Type.Object(
  { mode: mode(), ...ClientBody.properties },
  { title: 'OperatorClientBody' },
)
export type OperatorClientBody = Static<typeof OperatorClientBody>

const { user: _user, webhook: _webhook, ...paymentOfClient } = PaymentDetails.properties

const nextClientCursor = () =>
  nullable(
    string(
      'Pass it as `cursor` to search older payments. Null when all payments have been searched. A page can be empty and still not be the last.',
    ),
  )

export const ClientExport = Type.Object(
  {
    payments: Type.Array(
      Type.Object({
        ...paymentOfClient,
        return_url: nullable(string('URL that the checkout page links back to.')),
      }),
      { description: 'Payments, newest first.' },
    ),
    webhooks: Type.Array(
      Type.Object({
        ...event,
        url: nullable(
          string('URL that the event was posted to. Null if there was no `webhook_url`.'),
        ),
        attempts,
      }),
      EVENTS,
    ),
    next_cursor: nextClientCursor(),
  },
  { title: 'ClientExport', description: 'One page of the data about a client.' },
)
export type ClientExport = Static<typeof ClientExport>

export const ErasedClient = Type.Object(
  {
    payments: integer('Number of payments from which the client was erased.'),
    next_cursor: nextClientCursor(),
  },
  { title: 'ErasedClient', description: 'The result of the erasure.' },
)
export type ErasedClient = Static<typeof ErasedClient>
