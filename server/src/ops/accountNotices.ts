import type { Locale } from '@florin/shared/locales.js'
import type { AccountBase } from '../core/account.ts'
import { wireTime } from '../core/calendar.ts'
import type { StoreId } from '../core/ids.ts'
import { type AccountChange, MAX_ACCOUNT_MAILS_PER_HOUR } from '../core/mail.ts'
import type { SecurityEventKind } from '../core/securityEvent.ts'
import type { Tx } from '../database/database.ts'
import { type Actor, NO_SOURCE } from './auditLog.ts'
import type { MailQueue } from './mail.ts'
import { recordSecurityEvent } from './securityEvents.ts'

/** A person of a store, or an operator. */
export type Account = AccountBase & {
  readonly storeId?: StoreId
  readonly role?: string
}

/** The request that changes an account, and how to notify the account of it. */
export type Requester = {
  readonly actor: Actor
  readonly locale: Locale
  readonly mail: MailQueue
}

/** Records what happened to an account. With `change`, also emails it to the account. */
export async function recordAccountEvent(
  tx: Tx,
  { actor, locale, mail }: Requester,
  notice: {
    readonly id: string
    readonly account: Account
    readonly event: SecurityEventKind
    readonly details?: Readonly<Record<string, unknown>>
    readonly change?: AccountChange
  },
  at: Date,
): Promise<void> {
  const { id, account, event, details, change } = notice
  const { storeId = null, email, name } = account
  await recordSecurityEvent(tx, actor, { kind: event, accountId: id, storeId, details }, at)
  if (change === undefined) return
  const content = {
    template: 'account_changed' as const,
    name,
    change,
    ...(actor.source ?? NO_SOURCE),
    at: wireTime(at),
  }
  const maxPerHour = storeId === null ? undefined : MAX_ACCOUNT_MAILS_PER_HOUR
  await mail.add(tx, [{ to: email, locale: account.locale ?? locale, content, maxPerHour }], at)
}
