import type { Tx } from '../database/database.ts'
import { columns } from './columns.ts'

export type MailRow = {
  readonly mailId: string
  readonly recipient: string
  readonly template: string
  readonly locale: string
  /** Encrypted. */
  readonly content: Buffer
  readonly createdAt: Date
}

export async function insertMails(tx: Tx, mails: readonly MailRow[]): Promise<void> {
  await tx.execute(
    `insert into mail (mail_id, recipient, template, locale, content, created_at, due_at)
     select u.mail_id, u.recipient, u.template, u.locale, u.content, u.created_at, u.created_at
     from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bytea[], $6::timestamptz[])
       as u (mail_id, recipient, template, locale, content, created_at)`,
    columns(mails, 'mailId', 'recipient', 'template', 'locale', 'content', 'createdAt'),
  )
}
