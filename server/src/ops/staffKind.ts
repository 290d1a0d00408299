import type { Queryable, Tx } from '../database/database.ts'
import type { createStaffSessions } from '../sql/staffSessions.ts'
import type { Account } from './accountNotices.ts'

/** Accounts with an email address and a password: people of stores, or operators. */
export type StaffKind<StaffAccount extends Account> = {
  /** Prefix of their actions and subjects in the audit log. */
  readonly noun: string
  /** The name of the service for these accounts, in authenticator apps and password managers. */
  readonly title: string
  /** The path of the page that links in emails open. */
  readonly pageOf: (account: StaffAccount) => 'dashboard' | 'till' | 'operator'
  readonly tokenPrefix: string
  readonly sessionMs: number
  /** How long a confirmation lasts. */
  readonly confirmationMs: number
  readonly idOf: (account: StaffAccount) => string
  readonly find: (on: Queryable, id: string) => Promise<StaffAccount | null>
  readonly findByEmail: (on: Queryable, email: string) => Promise<StaffAccount | null>
  /** False if another account has the email address. */
  readonly insert: (tx: Tx, account: StaffAccount) => Promise<boolean>
  readonly update: (tx: Tx, account: StaffAccount) => Promise<void>
  /** The account as the audit log shows it, without the hash. */
  readonly fields: (account: StaffAccount) => unknown
  /** The account as the actor of the audit log. */
  readonly actorName: (account: StaffAccount) => string
  readonly sessions: ReturnType<typeof createStaffSessions>
}

/**
 * Failed attempts are counted per subject. A known device and a session have their own count, so an attacker
 * who knows the email address can't lock them out.
 */
export const signInSubject = (noun: string, email: string, device: string | null) =>
  device === null ? `${noun}:${email}` : `${noun}:${email} ${device}`
