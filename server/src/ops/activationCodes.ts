import {
  ACTIVATION_LIFETIME_MS,
  activationUrl,
  hashActivationCode,
  mintActivationCode,
  SIGNUP_LIFETIME_MS,
} from '../core/activation.ts'
import { MAX_ACCOUNT_MAILS_PER_HOUR } from '../core/mail.ts'
import type { Database, Tx } from '../database/database.ts'
import { lockAddress } from '../sql/locks.ts'
import { ERASED_RECIPIENT } from '../sql/mail.ts'
import { countMailsByTemplate } from '../sql/mailCounts.ts'
import { countSignups, insertSignup, replaceActivation } from '../sql/walletActivations.ts'
import type { Wallet } from '../sql/wallets.ts'
import type { MailQueue } from './mail.ts'

/** The pepper, mail queue and public address for activation codes. */
export type ActivationContext = {
  readonly pepper: Buffer
  readonly mail: MailQueue
  readonly publicUrl: string
}

/** The code in plain text, shown once. The activation has only its hash; the email has the code, encrypted until it is sent. */
export type NewActivation = {
  readonly code: string
  readonly url: string
  readonly expiresAt: Date
  readonly mailedTo: string | null
}

/**
 * Creates a code in place of an earlier one, and emails it if mail is set up and the address can get mail. The caller holds the
 * lock of the wallet, or has just created it. With `isLimited`, an address gets few codes an hour.
 */
export async function addActivation(
  tx: Tx,
  wallet: Wallet,
  { pepper, mail, publicUrl }: ActivationContext,
  at: Date,
  { isLimited }: { isLimited: boolean },
): Promise<NewActivation> {
  const { walletId, email, locale, name } = wallet
  const maxPerHour = isLimited ? MAX_ACCOUNT_MAILS_PER_HOUR : undefined
  if (isLimited) await lockAddress(tx, email)
  const code = mintActivationCode()
  const url = activationUrl(code, publicUrl)
  const expiresAt = new Date(at.getTime() + ACTIVATION_LIFETIME_MS)
  const codeHash = hashActivationCode(code, pepper)
  await replaceActivation(tx, { walletId, codeHash, createdAt: at, expiresAt })
  const content = { template: 'wallet_activation' as const, name, code, url }
  const newMail = { to: email, locale: locale ?? 'en', content, maxPerHour }
  const mails = await mail.add(tx, [newMail], at)
  return { code, url, expiresAt, mailedTo: mails.length > 0 ? email : null }
}

/** Whether the limit allows another code for the address now. Locks the address, so that this stays true. */
export async function canMailCode(tx: Tx, { email }: Wallet, at: Date): Promise<boolean> {
  await lockAddress(tx, email)
  const hourAgo = new Date(at.getTime() - HOUR_MS)
  const recipients = [email.toLowerCase(), ERASED_RECIPIENT.payer]
  const counts = await countMailsByTemplate(tx, recipients, hourAgo)
  const sent = counts
    .filter(({ template }) => template === 'wallet_activation')
    .reduce((sum, { count }) => sum + count, 0)
  return sent < MAX_ACCOUNT_MAILS_PER_HOUR
}

const MAX_SIGNUPS_PER_HOUR = 3
const HOUR_MS = 3_600_000

/** The profile of a wallet that does not exist yet. */
export type WalletProfile = Pick<Wallet, 'mode' | 'name' | 'email' | 'phone' | 'locale'>

/**
 * Emails a code to an address that requests a wallet. Behaves the same for every address and phone number, so that
 * the response does not reveal which ones have a wallet. An address gets at most three codes an hour.
 */
export async function requestSignup(
  database: Database,
  profile: WalletProfile,
  { pepper, mail, publicUrl }: ActivationContext,
): Promise<void> {
  const code = mintActivationCode()
  const { email, name, locale } = profile
  await database.transaction(async (tx) => {
    const at = await lockAddress(tx, email)
    const hourAgo = new Date(at.getTime() - HOUR_MS)
    if ((await countSignups(tx, email, hourAgo)) >= MAX_SIGNUPS_PER_HOUR) return
    const codeHash = hashActivationCode(code, pepper)
    const expiresAt = new Date(at.getTime() + SIGNUP_LIFETIME_MS)
    await insertSignup(tx, { ...profile, codeHash, createdAt: at, expiresAt })
    const url = activationUrl(code, publicUrl)
    const content = { template: 'wallet_signup' as const, name, code, url }
    await mail.add(tx, [{ to: email, locale: locale ?? 'en', content }], at)
  })
}
