import { mintReference } from '../core/ids.ts'
import {
  hashRecoveryCode,
  mintRecoveryCodes,
  mintTotpSecret,
  totpCodeOf,
  totpStep,
} from '../core/secondFactor.ts'
import { decryptSecret, encryptSecret } from '../core/secrets.ts'
import type { Database, Queryable, Tx } from '../database/database.ts'
import {
  activateTotp,
  countFactors,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  deleteTotp,
  type Factors,
  findTotp,
  insertRecoveryCodes,
  insertTotp,
  setTotpStep,
  type Totp,
} from '../sql/factors.ts'
import { lockAccount } from '../sql/locks.ts'
import {
  deletePasskey,
  deletePasskeys,
  insertPasskey,
  insertUsedChallenge,
  type Passkey,
} from '../sql/passkeys.ts'
import { type Account, type Requester, recordAccountEvent } from './accountNotices.ts'
import { type AuditedResult, type Entry, inAuditedTransaction, notDone } from './auditLog.ts'
import { type RegistrationResponse, type Site, verifyRegistration } from './passkeys.ts'

/** The parts of an account kind that second factors use. */
type FactorKind = {
  readonly noun: string
  readonly find: (on: Queryable, id: string) => Promise<Account | null>
}

/** An account and the request that changes its factors. */
type FactorOwner = {
  readonly kind: FactorKind
  readonly id: string
  readonly by: Requester
}

export const hasFactor = ({ passkeys, hasTotp }: Factors): boolean => passkeys > 0 || hasTotp

const MAX_PASSKEYS = 20

type AddedFactor<Added> = Added & {
  /** New codes for the first factor of the account, shown once. Otherwise null: the old codes stay valid. */
  readonly recoveryCodes: readonly string[] | null
}

type AddPasskeyResult = AddedFactor<{ readonly passkey: Passkey }> | 'invalid' | 'too_many'

export async function addPasskey(
  database: Database,
  owner: FactorOwner,
  registration: {
    readonly name: string
    readonly response: RegistrationResponse
    readonly site: Site
  },
): Promise<AddPasskeyResult> {
  const verified = await verifyRegistration(registration.site, owner.id, registration.response)
  if (verified === null) return 'invalid'
  const { challenge, ...credential } = verified
  return changeFactors<AddPasskeyResult>(database, owner, async (tx, record, at) => {
    if (!(await insertUsedChallenge(tx, challenge))) return notDone('invalid')
    const before = await countFactors(tx, owner.id)
    if (before.passkeys >= MAX_PASSKEYS) return notDone('too_many')
    const { name } = registration
    const passkeyId = mintReference('psk_', at)
    const passkey = { ...credential, passkeyId, accountId: owner.id, name, createdAt: at }
    if (!(await insertPasskey(tx, passkey))) return notDone('invalid')
    const recoveryCodes = await createFirstRecoveryCodes(tx, owner.id, before)
    await record({ event: 'passkey_added', details: { name }, change: 'passkey_added' })
    return {
      result: { passkey: { ...passkey, lastUsedAt: null }, recoveryCodes },
      entry: entryOf(owner, 'passkey.add', { passkey_id: passkeyId, name }),
    }
  })
}

/** False if the account has no such passkey. */
export async function removePasskey(
  database: Database,
  owner: FactorOwner,
  passkeyId: string,
): Promise<boolean> {
  return changeFactors<boolean>(database, owner, async (tx, record) => {
    const isDeleted = await deletePasskey(tx, { accountId: owner.id, passkeyId })
    if (!isDeleted) return notDone(false)
    await deleteUnusableCodes(tx, owner.id)
    await record({ event: 'passkey_removed', change: 'passkey_removed' })
    return { result: true, entry: entryOf(owner, 'passkey.remove', { passkey_id: passkeyId }) }
  })
}

/** Replaces a secret that is not active yet. Null if one is active. */
export async function startTotp(
  database: Database,
  { id }: FactorOwner,
  secretKey: Buffer,
): Promise<string | null> {
  const secret = mintTotpSecret()
  return database.transaction(async (tx) => {
    await lockAccount(tx, id)
    const totp = await findTotp(tx, id)
    if (totp !== null && totp.activatedAt !== null) return null
    await deleteTotp(tx, id)
    await insertTotp(tx, id, encryptSecret(secret, secretKey))
    return secret
  })
}

type ConfirmTotpResult = AddedFactor<object> | 'wrong' | 'not_started'

/** The first code proves that the app has the secret. It can't be used again to sign in. */
export async function confirmTotp(
  database: Database,
  owner: FactorOwner,
  { code, secretKey }: { code: string; secretKey: Buffer },
): Promise<ConfirmTotpResult> {
  const { id } = owner
  return changeFactors<ConfirmTotpResult>(database, owner, async (tx, record, at) => {
    const totp = await findTotp(tx, id)
    if (totp === null || totp.activatedAt !== null) return notDone('not_started')
    const before = await countFactors(tx, id)
    if (!(await useTotp(tx, totp, { id, code, secretKey, at }))) return notDone('wrong')
    await activateTotp(tx, id, at)
    const recoveryCodes = await createFirstRecoveryCodes(tx, id, before)
    await record({ event: 'totp_added', change: 'totp_added' })
    return { result: { recoveryCodes }, entry: entryOf(owner, 'totp.add', null) }
  })
}

/** False if none is active. */
export async function removeTotp(database: Database, owner: FactorOwner): Promise<boolean> {
  const { id } = owner
  return changeFactors<boolean>(database, owner, async (tx, record) => {
    const totp = await findTotp(tx, id)
    await deleteTotp(tx, id)
    if (totp === null || totp.activatedAt === null) return notDone(false)
    await deleteUnusableCodes(tx, id)
    await record({ event: 'totp_removed', change: 'totp_removed' })
    return { result: true, entry: entryOf(owner, 'totp.remove', null) }
  })
}

/** Replaces all recovery codes. Null if the account has no second factor. */
export async function createRecoveryCodes(
  database: Database,
  owner: FactorOwner,
): Promise<readonly string[] | null> {
  const { id } = owner
  return changeFactors<readonly string[] | null>(database, owner, async (tx, record) => {
    if (!hasFactor(await countFactors(tx, id))) return notDone(null)
    const codes = await replaceRecoveryCodes(tx, id)
    await record({ event: 'recovery_codes_created', change: 'recovery_codes' })
    return { result: codes, entry: entryOf(owner, 'recovery_codes', null) }
  })
}

/** Removes all second factors of an account, for example after a lost device, and ends its sessions. */
export async function removeFactors(
  database: Database,
  owner: FactorOwner & {
    readonly kind: FactorKind & {
      readonly sessions: {
        deleteAll: (tx: Tx, sessions: { ownerId: string; except: null }) => Promise<void>
      }
    }
  },
): Promise<'removed' | 'unknown'> {
  const { id, kind, by } = owner
  return inAuditedTransaction<'removed' | 'unknown'>(database, by.actor, async (tx) => {
    const at = await lockAccount(tx, id)
    const account = await kind.find(tx, id)
    if (account === null) return notDone('unknown')
    const passkeys = await deletePasskeys(tx, id)
    const hadTotp = await deleteTotp(tx, id)
    await deleteRecoveryCodes(tx, id)
    await kind.sessions.deleteAll(tx, { ownerId: id, except: null })
    if (passkeys > 0) {
      const event = 'passkey_removed'
      const details = { count: passkeys }
      await recordAccountEvent(tx, by, { id, account, event, details, change: event }, at)
    }
    if (hadTotp) {
      const event = 'totp_removed'
      await recordAccountEvent(tx, by, { id, account, event, change: event }, at)
    }
    const after = { passkeys, totp: hadTotp }
    return { result: 'removed', entry: entryOf(owner, 'factors.remove', after) }
  })
}

/** Consumes a code of the authenticator app or a recovery code. Null if it is wrong or was used before. */
export async function useCode(
  tx: Tx,
  { id, code, secretKey, at }: { id: string; code: string; secretKey: Buffer; at: Date },
): Promise<'totp' | 'recovery_code' | null> {
  if (totpCodeOf(code) !== null) {
    const totp = await findTotp(tx, id)
    if (totp === null || totp.activatedAt === null) return null
    return (await useTotp(tx, totp, { id, code, secretKey, at })) ? 'totp' : null
  }
  return (await deleteRecoveryCode(tx, id, hashRecoveryCode(code))) ? 'recovery_code' : null
}

async function useTotp(
  tx: Tx,
  totp: Totp,
  { id, code, secretKey, at }: { id: string; code: string; secretKey: Buffer; at: Date },
): Promise<boolean> {
  const digits = totpCodeOf(code)
  if (digits === null) return false
  const step = totpStep(decryptSecret(totp.secret, secretKey), digits, at)
  return step !== null && setTotpStep(tx, id, step)
}

async function createFirstRecoveryCodes(tx: Tx, id: string, before: Factors) {
  return hasFactor(before) ? null : replaceRecoveryCodes(tx, id)
}

async function replaceRecoveryCodes(tx: Tx, id: string): Promise<readonly string[]> {
  const codes = mintRecoveryCodes()
  await deleteRecoveryCodes(tx, id)
  await insertRecoveryCodes(tx, id, codes.map(hashRecoveryCode))
  return codes
}

/** Recovery codes replace a second factor. Without one, delete them. */
async function deleteUnusableCodes(tx: Tx, id: string): Promise<void> {
  if (!hasFactor(await countFactors(tx, id))) await deleteRecoveryCodes(tx, id)
}

/** Records what happened to the account, and emails it to the account. */
type RecordChange = (
  event: Omit<Parameters<typeof recordAccountEvent>[2], 'id' | 'account'>,
) => Promise<void>

async function changeFactors<Result>(
  database: Database,
  { kind, id, by }: FactorOwner,
  change: (tx: Tx, record: RecordChange, at: Date) => Promise<AuditedResult<Result>>,
): Promise<Result> {
  return inAuditedTransaction(database, by.actor, async (tx) => {
    const at = await lockAccount(tx, id)
    const account = (await kind.find(tx, id))!
    return change(tx, (event) => recordAccountEvent(tx, by, { id, account, ...event }, at), at)
  })
}

const entryOf = ({ kind, id }: FactorOwner, action: string, after: unknown): Entry => ({
  action: `${kind.noun}.${action}`,
  subject: `${kind.noun}:${id}`,
  before: null,
  after,
})
