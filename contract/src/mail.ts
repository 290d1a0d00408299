import Type, { type Static } from 'typebox'
import {
  boolean,
  cursorQuery,
  described,
  email,
  integer,
  limitQuery,
  listOf,
  locale,
  nextCursor,
  note,
  nullable,
  optional,
  password,
  string,
  wireTime,
} from './fields.ts'
import { MAIL_STATES, TEMPLATES } from './values.ts'

export const Mail = Type.Object(
  {
    mail_id: string("The email's id. It is part of the Message-ID."),
    to: string('Email address of the recipient.'),
    template: Type.Enum(TEMPLATES, { description: 'What the email is about.' }),
    locale: described(locale(), 'The language of the email.'),
    state: Type.Enum(MAIL_STATES, {
      description: '`queued` until it is sent. `failed` if there are no more attempts.',
    }),
    attempts: integer('Number of failed attempts.'),
    last_error: nullable(string('The error of the last attempt, if it failed.')),
    created_at: wireTime('Time when the email was written, UTC.'),
    next_attempt_at: nullable(wireTime('Time of the next attempt, UTC. Null if there is none.')),
    sent_at: nullable(
      wireTime('Time when the mail server accepted it, UTC. Null if it has not been sent.'),
    ),
    failed_at: nullable(
      wireTime('Time of the last attempt of a failed email, UTC. Null if it has not failed.'),
    ),
  },
  { title: 'Mail', description: 'An email. Its content is not shown.' },
)
export type Mail = Static<typeof Mail>

export const MailList = Type.Object(
  {
    enabled: boolean('True if a mail server is set up. Otherwise no emails are written.'),
    from: nullable(string('The sender of all emails. Null if no mail server is set up.')),
    queued: integer('Number of emails that wait for an attempt.'),
    failed: integer('Number of failed emails that are still stored.'),
    oldest_queued_at: nullable(
      wireTime('Time when the oldest queued email was written, UTC. Null if none is queued.'),
    ),
    mails: listOf(
      Mail,
      'Emails, newest first. They are deleted 30 days after they were sent or failed, or after `FLORIN_RETENTION_DAYS` if that is shorter.',
    ),
    next_cursor: nextCursor(),
  },
  { title: 'MailList', description: 'The queue and a page of emails.' },
)
export type MailList = Static<typeof MailList>

export const MailListQuery = Type.Object({
  state: Type.Optional(Type.Enum(MAIL_STATES, { description: 'Only emails in this state.' })),
  to: Type.Optional(described(note(254), 'Only emails to this address.')),
  limit: limitQuery(),
  cursor: cursorQuery(),
})
export type MailListQuery = Static<typeof MailListQuery>

export const MailParams = Type.Object({ mailId: string("The email's id.") })
export type MailParams = Static<typeof MailParams>

export const TestMailBody = Type.Object(
  {
    to: described(email(), 'Email address of the recipient.'),
    locale: optional(described(locale(), 'The language of the email. The default is English.')),
  },
  { title: 'TestMailBody' },
)
export type TestMailBody = Static<typeof TestMailBody>

export const ForgotPasswordBody = Type.Object(
  {
    email: Type.String({ maxLength: 254, description: 'Your email address.' }),
    locale: optional(
      described(locale(), 'The language of the email, if the account has none yet.'),
    ),
  },
  { title: 'ForgotPasswordBody' },
)
export type ForgotPasswordBody = Static<typeof ForgotPasswordBody>

const token = () =>
  Type.String({ maxLength: 100, description: 'The token of the link in the email.' })

export const PasswordLinkBody = Type.Object({ token: token() }, { title: 'PasswordLinkBody' })
export type PasswordLinkBody = Static<typeof PasswordLinkBody>

export const PasswordLink = Type.Object(
  {
    purpose: Type.Enum(['invitation', 'reset'], { description: 'What the link is for.' }),
    email: string('Email address of the account.'),
    name: string('Name of the account.'),
    expires_at: wireTime('Time when the link expires, UTC.'),
  },
  { title: 'PasswordLink', description: 'The account that the link is for.' },
)
export type PasswordLink = Static<typeof PasswordLink>

export const ResetPasswordBody = Type.Object(
  { token: token(), new: described(password(), 'Your new password.') },
  { title: 'ResetPasswordBody' },
)
export type ResetPasswordBody = Static<typeof ResetPasswordBody>

export const PasswordChosen = Type.Object(
  { email: string('Email address for signing in.') },
  { title: 'PasswordChosen', description: 'The account whose password was set.' },
)
export type PasswordChosen = Static<typeof PasswordChosen>
