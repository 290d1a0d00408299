import type { Queryable, Tx } from '../database/database.ts'

/** A session of a person or an operator. */
export type StaffSession = {
  readonly sessionId: string
  readonly createdAt: Date
  readonly lastUsedAt: Date
  readonly expiresAt: Date
  readonly userAgent: string
  /** The IP address of the sign-in. */
  readonly address: string
  /** When the account was last confirmed by a password, code or passkey. */
  readonly confirmedAt: Date
}

type SessionTable = {
  readonly table: 'person_session' | 'operator_session'
  readonly ownerColumn: 'person_id' | 'operator_id'
}

const MAX_LISTED = 200

/** The sessions of people or of operators. Each kind has its own table, with the same rules. */
export function createStaffSessions({ table, ownerColumn }: SessionTable) {
  /** The table's alias is `s`. */
  const columns = `
    s.session_id as "sessionId", s.created_at as "createdAt",
    s.last_used_at as "lastUsedAt", s.expires_at as "expiresAt", s.user_agent as "userAgent",
    s.address, coalesce(s.confirmed_at, s.created_at) as "confirmedAt"`

  return {
    columns,

    /** Signing in counts as a confirmation. */
    async insert(
      tx: Tx,
      session: Omit<StaffSession, 'confirmedAt'> & {
        readonly ownerId: string
        readonly tokenHash: Buffer
      },
    ): Promise<void> {
      await tx.execute(
        `insert into ${table} (
           session_id, ${ownerColumn}, token_hash, created_at, last_used_at, expires_at, user_agent, address)
         values ($1, $2, $3, $4, $5, $6, $7, $8)`,
        [
          session.sessionId,
          session.ownerId,
          session.tokenHash,
          session.createdAt,
          session.lastUsedAt,
          session.expiresAt,
          session.userAgent,
          session.address,
        ],
      )
    },

    /** The newest first. Limited, because an account can sign in any number of times. */
    async list(on: Queryable, ownerId: string): Promise<StaffSession[]> {
      return on.query<StaffSession>(
        `select ${columns}
         from ${table} s
         where s.${ownerColumn} = $1 and s.expires_at > now()
         order by s.session_id desc
         limit ${MAX_LISTED}`,
        [ownerId],
      )
    },

    async setLastUsed(tx: Tx, sessionId: string): Promise<void> {
      await tx.execute(`update ${table} set last_used_at = now() where session_id = $1`, [
        sessionId,
      ])
    },

    async setConfirmed(tx: Tx, sessionId: string): Promise<void> {
      await tx.execute(`update ${table} set confirmed_at = now() where session_id = $1`, [
        sessionId,
      ])
    },

    async delete(tx: Tx, session: { ownerId: string; sessionId: string }): Promise<boolean> {
      const deleted = await tx.execute(
        `delete from ${table} where ${ownerColumn} = $1 and session_id = $2`,
        [session.ownerId, session.sessionId],
      )
      return deleted === 1
    },

    /** Deletes all sessions of the owner, except the one that `except` names. */
    async deleteAll(
      tx: Tx,
      { ownerId, except }: { ownerId: string; except: string | null },
    ): Promise<void> {
      await tx.execute(
        `delete from ${table}
         where ${ownerColumn} = $1 and ($2::text is null or session_id <> $2)`,
        [ownerId, except],
      )
    },

    /** Deletes at most `limit` expired sessions, so that locks are short. */
    async sweep(tx: Tx, at: Date, limit: number): Promise<number> {
      return tx.execute(
        `delete from ${table}
         where session_id in (
           select session_id from ${table} where expires_at <= $1 order by session_id limit $2
         )`,
        [at, limit],
      )
    },
  }
}
