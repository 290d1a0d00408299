import type { Queryable, Tx } from '../database/database.ts'

export type Passkey = {
  readonly passkeyId: string
  readonly accountId: string
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | null
}

const COLUMNS = `
  passkey_id as "passkeyId", account_id as "accountId", credential_id as "credentialId",
  public_key as "publicKey", counter::float8 as counter, transports, name, created_at as "createdAt",
  last_used_at as "lastUsedAt"`

export async function findPasskey(on: Queryable, credentialId: Buffer): Promise<Passkey | null> {
  const rows = await on.query<Passkey>(`select ${COLUMNS} from passkey where credential_id = $1`, [
    credentialId,
  ])
  return rows[0] ?? null
}

/** Oldest first. */
export async function listPasskeys(on: Queryable, accountId: string): Promise<Passkey[]> {
  return on.query<Passkey>(
    `select ${COLUMNS}
     from passkey
     where account_id = $1
     order by passkey_id`,
    [accountId],
  )
}

/** False if the credential is already registered. */
export async function insertPasskey(
  tx: Tx,
  passkey: Omit<Passkey, 'lastUsedAt'>,
): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into passkey (
       passkey_id, account_id, credential_id, public_key, counter, transports, name, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (credential_id) do nothing`,
    [
      passkey.passkeyId,
      passkey.accountId,
      passkey.credentialId,
      passkey.publicKey,
      passkey.counter,
      passkey.transports,
      passkey.name,
      passkey.createdAt,
    ],
  )
  return inserted === 1
}

/**
 * Records a use. False if the passkey was removed, or if the counter is not above the stored one. An authenticator without a
 * counter always sends 0.
 */
export async function setPasskeyUsed(
  tx: Tx,
  { passkeyId, counter, at }: { passkeyId: string; counter: number; at: Date },
): Promise<boolean> {
  const updated = await tx.execute(
    `update passkey
     set counter = $2, last_used_at = $3
     where passkey_id = $1 and (counter < $2 or (counter = 0 and $2 = 0))`,
    [passkeyId, counter, at],
  )
  return updated === 1
}

export async function deletePasskey(
  tx: Tx,
  { accountId, passkeyId }: { accountId: string; passkeyId: string },
): Promise<boolean> {
  const deleted = await tx.execute(
    'delete from passkey where account_id = $1 and passkey_id = $2',
    [accountId, passkeyId],
  )
  return deleted === 1
}

export async function deletePasskeys(tx: Tx, accountId: string): Promise<number> {
  return tx.execute('delete from passkey where account_id = $1', [accountId])
}

/** False if the challenge was used before. A concurrent use waits for this transaction. */
export async function insertUsedChallenge(
  tx: Tx,
  { challengeHash, expiresAt }: { challengeHash: Buffer; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tx.execute(
    `insert into used_challenge (challenge_hash, expires_at)
     values ($1, $2)
     on conflict (challenge_hash) do nothing`,
    [challengeHash, expiresAt],
  )
  return inserted === 1
}
