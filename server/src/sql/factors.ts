import type { Queryable, Tx } from '../database/database.ts'

/** Which second factors an account has. `account` is an SQL expression. */
export const factorColumns = (account: string) => `
  exists (select from passkey where account_id = ${account}) as "hasPasskey",
  exists (select from totp where account_id = ${account} and activated_at is not null) as "hasTotp"`

/** The current data of the account of a session. */
export type AccountColumns = {
  readonly email: string
  readonly name: string
  readonly passwordChangeRequired: boolean
  readonly hasPasskey: boolean
  readonly hasTotp: boolean
  readonly accountCreatedAt: Date
}

export type Factors = {
  readonly passkeys: number
  readonly hasTotp: boolean
  readonly recoveryCodes: number
}

export async function countFactors(on: Queryable, accountId: string): Promise<Factors> {
  const rows = await on.query<Factors>(
    `select (select count(*)::int from passkey where account_id = $1) as passkeys,
       exists (select from totp where account_id = $1 and activated_at is not null) as "hasTotp",
       (select count(*)::int from recovery_code where account_id = $1) as "recoveryCodes"`,
    [accountId],
  )
  return rows[0]!
}

/** The accounts among these that have a second factor. */
export async function findAccountsWithFactor(
  on: Queryable,
  accounts: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await on.query<{ accountId: string }>(
    `select account_id as "accountId" from passkey where account_id = any($1)
     union
     select account_id from totp where account_id = any($1) and activated_at is not null`,
    [accounts],
  )
  return new Set(rows.map((row) => row.accountId))
}

export type Totp = {
  readonly secret: Buffer
  readonly activatedAt: Date | null
}

export async function findTotp(on: Queryable, accountId: string): Promise<Totp | null> {
  const rows = await on.query<Totp>(
    'select secret, activated_at as "activatedAt" from totp where account_id = $1',
    [accountId],
  )
  return rows[0] ?? null
}

/** Stores a secret that is not active yet. */
export async function insertTotp(tx: Tx, accountId: string, secret: Buffer): Promise<void> {
  await tx.execute('insert into totp (account_id, secret) values ($1, $2)', [accountId, secret])
}

export async function activateTotp(tx: Tx, accountId: string, at: Date): Promise<void> {
  await tx.execute('update totp set activated_at = $2 where account_id = $1', [accountId, at])
}

/** False if this code, or a later one, was used before. */
export async function setTotpStep(tx: Tx, accountId: string, step: number): Promise<boolean> {
  const updated = await tx.execute(
    'update totp set last_step = $2 where account_id = $1 and last_step < $2',
    [accountId, step],
  )
  return updated === 1
}

export async function deleteTotp(tx: Tx, accountId: string): Promise<boolean> {
  return (await tx.execute('delete from totp where account_id = $1', [accountId])) === 1
}

export async function insertRecoveryCodes(
  tx: Tx,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.execute(
    `insert into recovery_code (account_id, code_hash)
     select $1, code_hash
     from unnest($2::bytea[]) as code_hash`,
    [accountId, hashes],
  )
}

/** False if there is no such code, or if it was used before. */
export async function deleteRecoveryCode(
  tx: Tx,
  accountId: string,
  hash: Buffer,
): Promise<boolean> {
  const deleted = await tx.execute(
    'delete from recovery_code where account_id = $1 and code_hash = $2',
    [accountId, hash],
  )
  return deleted === 1
}

export async function deleteRecoveryCodes(tx: Tx, accountId: string): Promise<void> {
  await tx.execute('delete from recovery_code where account_id = $1', [accountId])
}
