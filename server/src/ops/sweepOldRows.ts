import { SIGNUP_LIFETIME_MS } from '../core/activation.ts'
import { MAX_MAIL_RETRY_DELAY_MS } from '../core/mail.ts'
import { MAX_RETRY_DELAY_MS } from '../core/webhook.ts'
import type { Database, Tx } from '../database/database.ts'
import { advanceDeliveries } from '../sql/deliveries.ts'
import { readDatabaseTime, tryLoopLock } from '../sql/locks.ts'
import { advanceMails, sweepMails } from '../sql/mail.ts'
import { operatorSessions } from '../sql/operators.ts'
import { personSessions } from '../sql/people.ts'
import { sweepSecurityEvents } from '../sql/securityEvents.ts'
import { type SweptTable, sweepTable } from '../sql/sweeps.ts'

const BATCH_SIZE = 500
const MAX_BATCHES = 100
const KEEP_FAILURES_MS = 3_600_000
const KEEP_SIGN_IN_GUARDS_MS = 48 * 3_600_000
const KEEP_SECURITY_EVENTS_MS = 400 * 24 * 3_600_000
const KEEP_NODES_MS = 24 * 3_600_000
/** A small correction of the clock must not make a retry due. */
const CLOCK_TOLERANCE_MS = 3_600_000

/**
 * Deletes expired rows, in small steps so that locks are short. Makes retries due that wait longer than any schedule allows: they
 * were scheduled before the clock was set back.
 */
export async function sweepOldRows(
  database: Database,
  { idempotencyTtlMs, keepMailsMs }: { idempotencyTtlMs: number; keepMailsMs: number },
): Promise<number> {
  const keepMs: Record<SweptTable, number> = {
    idempotency: idempotencyTtlMs,
    wallet_idempotency: idempotencyTtlMs,
    wallet_session: 0,
    wallet_activation: 0,
    // Emails of the last hour are counted, so a row stays at least that long.
    wallet_signup: SIGNUP_LIFETIME_MS,
    wallet_failure: KEEP_FAILURES_MS,
    password_link: 0,
    used_challenge: 0,
    sign_in_guard: KEEP_SIGN_IN_GUARDS_MS,
    node_sample: KEEP_NODES_MS,
    // Nodes that stopped without removing themselves.
    node: KEEP_NODES_MS,
  }
  const tables = Object.keys(keepMs) as SweptTable[]
  const sweeps: ((tx: Tx, at: Date) => Promise<number>)[] = [
    ...tables.map(
      (table) => (tx: Tx, at: Date) => sweepTable(tx, table, before(at, keepMs[table]), BATCH_SIZE),
    ),
    (tx, at) => personSessions.sweep(tx, at, BATCH_SIZE),
    (tx, at) => operatorSessions.sweep(tx, at, BATCH_SIZE),
    (tx, at) => sweepSecurityEvents(tx, before(at, KEEP_SECURITY_EVENTS_MS), BATCH_SIZE),
    (tx, at) => sweepMails(tx, before(at, keepMailsMs), BATCH_SIZE),
    (tx, at) => advanceDeliveries(tx, dueAfter(at, MAX_RETRY_DELAY_MS)),
    (tx, at) => advanceMails(tx, dueAfter(at, MAX_MAIL_RETRY_DELAY_MS)),
  ]
  let total = 0
  for (const sweep of sweeps) {
    for (let batch = 0; batch < MAX_BATCHES; batch++) {
      const swept = await database.transaction(async (tx) => {
        if (!(await tryLoopLock(tx, 'sweep'))) return 0
        return sweep(tx, await readDatabaseTime(tx))
      })
      total += swept
      if (swept < BATCH_SIZE) break
    }
  }
  return total
}

const before = (at: Date, ms: number) => new Date(at.getTime() - ms)

const dueAfter = (at: Date, ms: number) => ({
  at,
  latest: new Date(at.getTime() + ms + CLOCK_TOLERANCE_MS),
  limit: BATCH_SIZE,
})
