import { auditLedger } from '../../server/dist/ops/auditLedger.js'
import { mustBe } from './figures.mjs'

/** Checks that commits are durable; without that, rates mean nothing. */
export async function mustBeDurable(database) {
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes']) {
    const [row] = await database.query(`show ${setting}`)
    mustBe(row[setting], 'on', setting)
  }
}

/** Throws if the ledger audit finds anything. */
export async function mustBeClean(database, variant) {
  const { checks } = await auditLedger(database)
  for (const { name, findings } of checks) {
    if (findings.length === 0) continue
    throw new Error(`${variant}: ${name}: ${JSON.stringify(findings.slice(0, 3))}`)
  }
}

/** Counts payments by status, and the rows that calls add to other tables. */
export async function countRows(database) {
  const [row] = await database.query(
    `select count(*) filter (where status = 'pending')::int as pending,
       count(*) filter (where status = 'completed')::int as completed,
       count(*) filter (where status = 'refunded')::int as refunded,
       count(*)::int as payments,
       (select count(*) from transfer)::int as transfers,
       (select count(*) from wallet_transfer)::int as wallet_transfers,
       (select count(*) from event)::int as events,
       (select count(*) from idempotency)::int as stored_responses
     from payment`,
  )
  return row
}
