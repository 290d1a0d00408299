import type { Tx } from '../database/database.ts'
import { listAuditEntries } from '../sql/auditLog.ts'
import type { Actor } from './auditLog.ts'

// Limits on what a stolen session can send to strangers.
const MAX_PER_PAYMENT = 3
const MAX_PER_DAY = 100
const DAY_MS = 24 * 60 * 60 * 1000

const ANY = { actor: null, subject: null, from: null, to: null, before: null }

/** Whether an email about a payment was already sent the maximum number of times. */
export async function isMailLimitReached(
  tx: Tx,
  action: string,
  subject: string,
): Promise<boolean> {
  const entries = await listAuditEntries(tx, { ...ANY, action, subject, limit: MAX_PER_PAYMENT })
  return entries.length === MAX_PER_PAYMENT
}

/** Whether a person already sent the maximum number of these emails within a day. */
export async function isDailyLimitReached(
  tx: Tx,
  action: string,
  { actor, at }: { actor: Actor; at: Date },
): Promise<boolean> {
  const from = new Date(at.getTime() - DAY_MS)
  const filter = { ...ANY, actor: actor.name, action, from, limit: MAX_PER_DAY }
  return (await listAuditEntries(tx, filter)).length === MAX_PER_DAY
}
