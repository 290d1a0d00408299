import type { Queryable, Tx } from '../database/database.ts'
import type { staffSessions } from '../sql/staffSessions.ts'
import type { Account } from './accountNotices.ts'

/** Accounts with an email address and a password: people of stores, or operators. */
export type StaffKind<One extends Account, Owner extends string> = {
  /** Prefix of their actions and subjects in the audit log. */
  readonly noun: string
  /** The name of the service for these accounts, in authenticator apps and password managers. */
  readonly title: string
  /** The path of the page on which these accounts sign in. */
  readonly page: 'dashboard' | 'operator'
  readonly tokenPrefix: string
  readonly sessionMs: number
  /** How long a confirmation lasts. */
  readonly confirmationMs: number
  readonly owner: Owner
  readonly idOf: (account: One) => string
  readonly find: (on: Queryable, id: string) => Promise<One | null>
  readonly findByEmail: (on: Queryable, email: string) => Promise<One | null>
  /** False if another account has the email address. */
  readonly insert: (tx: Tx, account: One) => Promise<boolean>
  readonly update: (tx: Tx, account: One) => Promise<void>
  /** The account as the audit log shows it, without the hash. */
  readonly fields: (account: One) => unknown
  /** The account as the actor of the audit log. */
  readonly actorName: (account: One) => string
  readonly sessions: ReturnType<typeof staffSessions<Owner>>
}

/**
 * Failed attempts are counted per subject. A known device and a session have their own count, so an attacker
 * who knows the email address can't lock them out.
 */
export const signInSubject = (noun: string, email: string, device: string | null) =>
  device === null ? `${noun}:${email}` : `${noun}:${email} ${device}`
