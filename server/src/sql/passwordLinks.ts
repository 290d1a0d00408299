import type { Queryable, Tx } from '../database/database.ts'

/** A link in an email that lets a person or an operator choose a password. */
export type PasswordLink = {
  readonly tokenHash: Buffer
  readonly purpose: 'invitation' | 'reset'
  /** The id of a person or of an operator. */
  readonly accountId: string
  readonly createdAt: Date
  readonly expiresAt: Date
}

const COLUMNS = `
  token_hash as "tokenHash", purpose, account_id as "accountId", created_at as "createdAt",
  expires_at as "expiresAt"`

export async function insertPasswordLink(tx: Tx, link: PasswordLink): Promise<void> {
  await tx.execute(
    `insert into password_link (token_hash, purpose, account_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [link.tokenHash, link.purpose, link.accountId, link.createdAt, link.expiresAt],
  )
}

/** Null if the link is unknown or has expired. */
export async function findPasswordLink(
  on: Queryable,
  tokenHash: Buffer,
): Promise<PasswordLink | null> {
  const rows = await on.query<PasswordLink>(
    `select ${COLUMNS} from password_link where token_hash = $1 and expires_at > now()`,
    [tokenHash],
  )
  return rows[0] ?? null
}

/** Ends the links of an account: all of them, or those of one purpose. */
export async function deletePasswordLinks(
  tx: Tx,
  accountId: string,
  purpose: PasswordLink['purpose'] | null = null,
): Promise<void> {
  await tx.execute(
    'delete from password_link where account_id = $1 and ($2::text is null or purpose = $2)',
    [accountId, purpose],
  )
}
