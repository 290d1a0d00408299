import type { Mode, StoreAndMode, StoreId } from '../core/ids.ts'
import { type Queryable, type Tx, withConnection } from '../database/database.ts'
import { mustMatch } from '../database/errors.ts'

export async function insertWebhookSecret(
  tx: Tx,
  secret: StoreAndMode & { encrypted: Buffer; createdAt: Date },
): Promise<void> {
  await tx.execute(
    `insert into webhook_secret (store_id, mode, encrypted, created_at)
     values ($1, $2, $3, $4)`,
    [secret.storeId, secret.mode, secret.encrypted, secret.createdAt],
  )
}

/** The valid secrets: the current one, and during the overlap the previous one. */
export async function findSecrets(on: Queryable, storeId: StoreId, mode: Mode): Promise<Buffer[]> {
  const rows = await on.query<{ encrypted: Buffer; previous: Buffer | null }>(
    `select encrypted, case when previous_until > now() then previous_encrypted end as previous
     from webhook_secret
     where store_id = $1 and mode = $2`,
    [storeId, mode],
  )
  return rows.flatMap(({ encrypted, previous }) => (previous ? [encrypted, previous] : [encrypted]))
}

/** The time until which the previous secret signs too; null if it doesn't. */
export async function findPreviousUntil(on: Queryable, storeId: StoreId, mode: Mode) {
  const rows = await on.query<{ until: Date | null }>(
    `select case when previous_until > now() then previous_until end as until
     from webhook_secret
     where store_id = $1 and mode = $2`,
    [storeId, mode],
  )
  return rows[0]!.until
}

export async function replaceWebhookSecret(
  tx: Tx,
  change: StoreAndMode & { encrypted: Buffer; previousUntil: Date },
): Promise<void> {
  await tx.execute(
    `update webhook_secret
     set previous_encrypted = encrypted, previous_until = $4, encrypted = $3
     where store_id = $1 and mode = $2`,
    [change.storeId, change.mode, change.encrypted, change.previousUntil],
  )
}

/** Stores the hash if there is none. Returns the stored one. */
export async function storeSecretKeyHash(tx: Tx, keyHash: Buffer): Promise<Buffer> {
  await tx.execute(
    'insert into secret_key_check (key_hash) values ($1) on conflict (only_row) do nothing',
    [keyHash],
  )
  return (await findSecretKeyHash(tx))!
}

/** Null until the first process has stored the hash of its key. */
export async function findSecretKeyHash(on: Pick<Queryable, 'query'>): Promise<Buffer | null> {
  const [row] = await on.query<{ keyHash: Buffer }>(
    'select key_hash as "keyHash" from secret_key_check',
  )
  return row?.keyHash ?? null
}

/** Stores the hash if there is none. Returns the stored one. Needs the row that `storeSecretKeyHash` writes. */
export async function storePepperHash(tx: Tx, pepperHash: Buffer): Promise<Buffer> {
  await tx.execute('update secret_key_check set pepper_hash = $1 where pepper_hash is null', [
    pepperHash,
  ])
  return (await findPepperHash(tx))!
}

export async function replacePepperHash(tx: Tx, pepperHash: Buffer): Promise<void> {
  const updated = await tx.execute('update secret_key_check set pepper_hash = $1', [pepperHash])
  mustMatch(updated, 1, 'replace the hash of the pepper')
}

/** Null until the first process has stored the hash of its pepper. */
export async function findPepperHash(on: Pick<Queryable, 'query'>): Promise<Buffer | null> {
  const [row] = await on.query<{ pepperHash: Buffer | null }>(
    'select pepper_hash as "pepperHash" from secret_key_check',
  )
  return row?.pepperHash ?? null
}

/** The stored hashes of a database that has no pool yet. It may be empty or older than one of them. */
export const findKeyHashesAt = (url: string) =>
  withConnection(url, (client) =>
    findKeyHashes({ query: async (text) => (await client.query(text)).rows }),
  )

async function findKeyHashes(on: Pick<Queryable, 'query'>) {
  const rows = await on.query<{ name: string }>(
    `select attname::text as name
     from pg_attribute
     where attrelid = to_regclass('secret_key_check')`,
  )
  const has = (column: string) => rows.some(({ name }) => name === column)
  return {
    secretKey: has('key_hash') ? await findSecretKeyHash(on) : null,
    pepper: has('pepper_hash') ? await findPepperHash(on) : null,
  }
}
