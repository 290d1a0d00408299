import { mintReference } from '../core/ids.ts'
import type { NewMail } from '../core/mail.ts'
import { encryptSecret } from '../core/secrets.ts'
import type { Tx } from '../database/database.ts'
import { insertMails } from '../sql/mail.ts'

/** Writes mails in the transaction of their cause. Without a mail server it writes nothing. */
export type MailQueue = {
  readonly isEnabled: boolean
  readonly add: (tx: Tx, mails: readonly NewMail[], at: Date) => Promise<void>
}

export function createMailQueue({
  isEnabled,
  secretKey,
}: {
  isEnabled: boolean
  secretKey: Buffer
}): MailQueue {
  return {
    isEnabled,
    async add(tx, mails, at) {
      if (!isEnabled || mails.length === 0) return
      await insertMails(
        tx,
        mails.map(({ to, locale, content }) => ({
          mailId: mintReference('mail_', at),
          recipient: to,
          template: content.template,
          locale,
          content: encryptSecret(JSON.stringify(content), secretKey),
          createdAt: at,
        })),
      )
    },
  }
}
