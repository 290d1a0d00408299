import type { Tx } from '../database/database.ts'

/** The key of each table whose rows are deleted after some time, and the column with the time. */
const TABLES = {
  idempotency: { key: 'key, store_id, mode', time: 'created_at' },
  wallet_idempotency: { key: 'key, wallet_id', time: 'created_at' },
  wallet_session: { key: 'wallet_id, token_hash', time: 'expires_at' },
  wallet_activation: { key: 'wallet_id', time: 'expires_at' },
  wallet_signup: { key: 'code_hash', time: 'created_at' },
  wallet_failure: { key: 'wallet_id, payment_id', time: 'at' },
  password_link: { key: 'token_hash', time: 'expires_at' },
  used_challenge: { key: 'challenge_hash', time: 'expires_at' },
  sign_in_guard: { key: 'subject', time: 'last_at' },
  node_sample: { key: 'at, node_id', time: 'at' },
  node: { key: 'node_id', time: 'seen_at' },
}
export type SweptTable = keyof typeof TABLES

/** Deletes at most `limit` rows, so that locks are short. Returns how many. */
export async function sweepTable(
  tx: Tx,
  table: SweptTable,
  olderThan: Date,
  limit: number,
): Promise<number> {
  const { key, time } = TABLES[table]
  return tx.execute(
    `delete from ${table}
     where (${key}) in (select ${key} from ${table} where ${time} <= $1 limit $2)`,
    [olderThan, limit],
  )
}
