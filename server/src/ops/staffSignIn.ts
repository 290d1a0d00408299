import type { Locale } from '@florin/shared/locales.js'
import { wireTime } from '../core/calendar.ts'
import { signDevice, verifyDevice } from '../core/devices.ts'
import { hashToken, mintReference, mintToken } from '../core/ids.ts'
import { MAX_ACCOUNT_MAILS_PER_HOUR } from '../core/mail.ts'
import type { Database, Tx } from '../database/database.ts'
import { countFactors } from '../sql/factors.ts'
import { lockAccount } from '../sql/locks.ts'
import type { StaffSession } from '../sql/staffSessions.ts'
import { type Account, recordAccountEvent } from './accountNotices.ts'
import type { Actor, Source } from './auditLog.ts'
import { hasFactor, useCode } from './factors.ts'
import type { MailQueue } from './mail.ts'
import {
  type AssertionResponse,
  challengeFor,
  type Site,
  usePasskey,
  verifyAssertion,
} from './passkeys.ts'
import { recordSecurityEvent } from './securityEvents.ts'
import { type Admission, type Admit, matchesHash, verifySecret } from './signIns.ts'
import { type StaffKind, signInSubject } from './staffKind.ts'

type Attempt = {
  readonly requestId: string
  readonly source: Source
  /** The language that the browser prefers. */
  readonly locale: Locale
  /** The language of the page; null if the client didn't send it. */
  readonly pageLocale: Locale | null
  readonly mail: MailQueue
  readonly secretKey: Buffer
  readonly now: Date
  readonly admit: Admit
}

type SignInAttempt = Attempt & {
  readonly email: string
  readonly password: string
  /** A code of the authenticator app, or a recovery code. */
  readonly code: string | null
  /** The signed device token that the browser stored at an earlier sign-in. */
  readonly deviceToken: string | null
}

type PasskeyAttempt = Attempt & {
  readonly response: AssertionResponse
  readonly publicUrl: string
  readonly deviceTokenOf: (email: string) => string | null
}

export type SignInRefusal = 'wrong' | 'wrong_code' | 'second_factor_needed' | 'locked' | 'throttled'

export type SignInResult<StaffAccount> =
  | {
      readonly kind: 'signed_in'
      readonly token: string
      /** The device token for the browser to store. */
      readonly deviceToken: string
      readonly account: StaffAccount
      readonly session: StaffSession
    }
  | { readonly kind: SignInRefusal }

type Method = 'password' | 'password_and_totp' | 'password_and_recovery_code' | 'passkey'

const deviceOwner = (noun: string, email: string, passwordHash: string | null) => ({
  account: signInSubject(noun, email, null),
  passwordHash,
})

/** An unknown email address and a disabled account take as long as a wrong password. */
export async function signInStaff<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  attempt: SignInAttempt,
): Promise<SignInResult<StaffAccount>> {
  const { email, password, code, deviceToken, secretKey, now } = attempt
  const account = signInSubject(kind.noun, email, null)
  const device =
    deviceToken === null
      ? null
      : await deviceOf(database, kind, { email, deviceToken, secretKey, now })
  const subject = signInSubject(kind.noun, email, device)
  const admission = attempt.admit(device && subject)
  if (admission === null) return { kind: 'throttled' }

  const seen: { account: StaffAccount | null; refusal: 'wrong' | 'wrong_code' } = {
    account: null,
    refusal: 'wrong',
  }
  const { requestId, source } = attempt
  const by = { name: email, requestId, source }
  const verified = await verifySecret<{ account: StaffAccount; method: Method | null }>(database, {
    audience: 'staff',
    account,
    subject,
    admission,
    check: async (tx, at) => {
      const found = await kind.findByEmail(tx, email)
      seen.account = found
      const isRight = await matchesHash(found?.passwordHash ?? null, password)
      if (!isRight || found === null || found.disabledAt !== null) return null
      const id = kind.idOf(found)
      if (!hasFactor(await countFactors(tx, id))) return { account: found, method: 'password' }
      if (code === null) return { account: found, method: null }
      seen.refusal = 'wrong_code'
      const used = await useCode(tx, { id, code, secretKey, at })
      return used && { account: found, method: `password_and_${used}` }
    },
    isComplete: ({ method }) => method !== null,
    onWrong: async (tx, at) => {
      // A flood of attempts over the limit must not fill the table.
      if (admission.slots === 'overLimit') return
      const reason = seen.refusal === 'wrong_code' ? 'code' : 'password'
      const details = { method: 'password', reason }
      await recordAttempt(
        tx,
        kind,
        { by, account: seen.account, event: 'sign_in_failed', details },
        at,
      )
    },
    onLock: async (tx, until, at) => {
      const details = { method: 'password', until: wireTime(until) }
      await recordAttempt(
        tx,
        kind,
        { by, account: seen.account, event: 'account_locked', details },
        at,
      )
    },
  })
  if (verified.kind === 'wrong') return { kind: seen.refusal }
  if (verified.kind !== 'right') return { kind: verified.kind }
  const { account: known, method } = verified.value
  if (method === null) return { kind: 'second_factor_needed' }

  return database.transaction(async (tx) => {
    const at = await lockAccount(tx, kind.idOf(known))
    // The password may have been replaced, or the account disabled, while the hash was computed.
    const account = await kind.find(tx, kind.idOf(known))
    if (account?.passwordHash !== known.passwordHash || account.disabledAt !== null) {
      return { kind: 'wrong' }
    }
    return openSession(tx, kind, { account, attempt, method, isKnownDevice: device !== null, at })
  })
}

/** Signs in without email address and password. The authenticator has verified its user. */
export async function signInWithPasskey<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  attempt: PasskeyAttempt,
): Promise<SignInResult<StaffAccount>> {
  const admission = attempt.admit(null)
  if (admission === null) return { kind: 'throttled' }
  try {
    const result = await verifyPasskey(database, kind, { ...attempt, slots: admission.slots })
    if (result.kind === 'signed_in') admission.uncount()
    return result
  } catch (error) {
    // A failure of the database says nothing about the passkey.
    admission.uncount()
    throw error
  }
}

async function verifyPasskey<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  attempt: PasskeyAttempt & Pick<Admission, 'slots'>,
): Promise<SignInResult<StaffAccount>> {
  const { response, secretKey, now, publicUrl, deviceTokenOf } = attempt
  const site: Site = { publicUrl, key: secretKey, now }
  const verified = await verifyAssertion(database, site, challengeFor.signIn(kind.noun), response)
  const id = verified?.passkey.accountId ?? null
  return database.transaction<SignInResult<StaffAccount>>(async (tx) => {
    const at = await lockAccount(tx, id ?? '')
    // The id of a person finds no operator, and the id of an operator finds no person.
    const account = id === null ? null : await kind.find(tx, id)
    const isAllowed = account !== null && account.disabledAt === null
    const use = isAllowed && verified !== null ? await usePasskey(tx, verified, at) : 'unknown'
    if (!isAllowed || use !== 'used') {
      if (attempt.slots === 'overLimit') return { kind: 'throttled' }
      const { requestId, source } = attempt
      const by = { name: account?.email ?? 'unknown', requestId, source }
      const details = { method: 'passkey', reason: use }
      await recordAttempt(tx, kind, { by, account, event: 'sign_in_failed', details }, at)
      return { kind: 'wrong' }
    }
    const deviceToken = deviceTokenOf(account.email)
    const owner = deviceOwner(kind.noun, account.email, account.passwordHash)
    const isKnownDevice =
      deviceToken !== null && verifyDevice(deviceToken, owner, { key: secretKey, now }) !== null
    return openSession(tx, kind, { account, attempt, method: 'passkey', isKnownDevice, at })
  })
}

/** The name of a known device; null if the token is not valid. */
async function deviceOf<StaffAccount extends Account>(
  database: Database,
  kind: StaffKind<StaffAccount>,
  {
    email,
    deviceToken,
    secretKey,
    now,
  }: { email: string; deviceToken: string; secretKey: Buffer; now: Date },
): Promise<string | null> {
  const found = await kind.findByEmail(database, email)
  const owner = deviceOwner(kind.noun, email, found?.passwordHash ?? null)
  return verifyDevice(deviceToken, owner, { key: secretKey, now })
}

async function openSession<StaffAccount extends Account>(
  tx: Tx,
  kind: StaffKind<StaffAccount>,
  opening: {
    account: StaffAccount
    attempt: Attempt
    method: Method
    isKnownDevice: boolean
    at: Date
  },
): Promise<SignInResult<StaffAccount>> {
  const { account, attempt, method, isKnownDevice, at } = opening
  const { source, requestId, locale, mail, secretKey } = attempt
  const id = kind.idOf(account)
  const token = mintToken(kind.tokenPrefix)
  const session = {
    sessionId: mintReference('ses_', at),
    createdAt: at,
    lastUsedAt: at,
    confirmedAt: at,
    userAgent: source.device,
    address: source.address,
    expiresAt: new Date(at.getTime() + kind.sessionMs),
  }
  await kind.sessions.insert(tx, { ...session, ownerId: id, tokenHash: hashToken(token) })
  const pageLocale = attempt.pageLocale ?? account.locale
  await kind.update(tx, { ...account, signedInAt: at, locale: pageLocale })

  const by = { actor: { name: kind.actorName(account), requestId, source }, locale, mail }
  const details = { method, known_device: isKnownDevice }
  await recordAccountEvent(tx, by, { id, account, event: 'sign_in', details }, at)
  if (method === 'password_and_recovery_code') {
    await recordAccountEvent(tx, by, { id, account, event: 'recovery_code_used' }, at)
  }
  if (!isKnownDevice && account.signedInAt !== null) {
    const { device, address } = source
    const template = 'new_device' as const
    const content = { template, name: account.name, device, address, at: wireTime(at) }
    const maxPerHour = account.storeId === undefined ? undefined : MAX_ACCOUNT_MAILS_PER_HOUR
    const newMail = { to: account.email, locale: pageLocale ?? locale, content, maxPerHour }
    await mail.add(tx, [newMail], at)
  }
  const owner = deviceOwner(kind.noun, account.email, account.passwordHash)
  const deviceToken = signDevice(owner, { key: secretKey, now: at })
  return { kind: 'signed_in', token, deviceToken, account, session }
}

/** Records a refused attempt. The account is null if the attempt named no known one. */
async function recordAttempt<StaffAccount extends Account>(
  tx: Tx,
  kind: StaffKind<StaffAccount>,
  attempt: {
    readonly by: Actor
    readonly account: StaffAccount | null
    readonly event: 'sign_in_failed' | 'account_locked'
    readonly details: Readonly<Record<string, string>>
  },
  at: Date,
): Promise<void> {
  const { by, account, event, details } = attempt
  const accountId = account && kind.idOf(account)
  const storeId = account?.storeId ?? null
  await recordSecurityEvent(tx, by, { kind: event, accountId, storeId, details }, at)
}
