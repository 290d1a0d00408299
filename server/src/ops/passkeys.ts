import type { RegistrationResponseJSON } from '@simplewebauthn/server'
import { challengeExpiry, mintChallenge } from '../core/challenge.ts'
import { digest } from '../core/digest.ts'
import { isCounterPlausible } from '../core/secondFactor.ts'
import type { Queryable, Tx } from '../database/database.ts'
import {
  findPasskey,
  insertUsedChallenge,
  listPasskeys,
  type Passkey,
  setPasskeyUsed,
} from '../sql/passkeys.ts'

/**
 * Loading the library takes a quarter of the startup time, so commands load it only if they need it. The
 * service loads it before it listens, because loading it blocks the event loop.
 */
export const loadPasskeyLibrary = () => import('@simplewebauthn/server')

/** A new passkey, as the browser sends it. */
export type RegistrationResponse = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly attestationObject: string
    readonly transports?: readonly string[] | null
  }
}

/** The use of a passkey, as the browser sends it. */
export type AssertionResponse = {
  readonly id: string
  readonly response: {
    readonly clientDataJSON: string
    readonly authenticatorData: string
    readonly signature: string
  }
}

/** The parts of a response that are always the same, or ignored. */
const FIXED = { type: 'public-key', clientExtensionResults: {} } as const

/** Passkeys work at the origin of FLORIN_PUBLIC_URL. The key and the time are for signing and verifying challenges. */
export type Site = { readonly publicUrl: string; readonly key: Buffer; readonly now: Date }

const rpIdOf = ({ publicUrl }: Site) => new URL(publicUrl).hostname

/** What a challenge is for. A challenge for one purpose and account is refused for any other. */
export const challengeFor = {
  signIn: (noun: string) => `${noun} sign-in`,
  confirm: (id: string) => `${id} confirm`,
  register: (id: string) => `${id} register`,
}

/** The options for the browser to register a passkey. It is discoverable: it signs in without an email address. */
export async function createRegistrationOptions(
  on: Queryable,
  site: Site,
  { id, email, name, title }: { id: string; email: string; name: string; title: string },
) {
  const passkeys = await listPasskeys(on, id)
  const { generateRegistrationOptions } = await loadPasskeyLibrary()
  return generateRegistrationOptions({
    rpName: title,
    rpID: rpIdOf(site),
    userID: Uint8Array.from(Buffer.from(id)),
    userName: email,
    userDisplayName: name,
    challenge: Uint8Array.from(mintChallenge(challengeFor.register(id), site)),
    attestationType: 'none',
    excludeCredentials: passkeys.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** The options for the browser to use a passkey: any passkey of this site, or one of the given ones. */
export async function createAssertionOptions(
  site: Site,
  subject: string,
  passkeys: readonly Passkey[],
) {
  const { generateAuthenticationOptions } = await loadPasskeyLibrary()
  return generateAuthenticationOptions({
    rpID: rpIdOf(site),
    challenge: Uint8Array.from(mintChallenge(subject, site)),
    allowCredentials: passkeys.map(descriptorOf),
    userVerification: 'required',
  })
}

const descriptorOf = ({ credentialId, transports }: Passkey) => ({
  id: credentialId.toString('base64url'),
  transports: transports as NonNullable<RegistrationResponseJSON['response']['transports']>,
})

type UsedChallenge = { readonly challengeHash: Buffer; readonly expiresAt: Date }

/** Checks the challenge of a response, and keeps it for the transaction that consumes it. */
function createChallengeCheck(site: Site, subject: string) {
  let used: UsedChallenge | null = null
  return {
    expectedChallenge: (challenge: string) => {
      const bytes = Buffer.from(challenge, 'base64url')
      const expiresAt = challengeExpiry(bytes, subject, site)
      if (expiresAt !== null) used = { challengeHash: digest(bytes), expiresAt }
      return expiresAt !== null
    },
    used: () => used,
  }
}

type VerifiedRegistration = {
  readonly challenge: UsedChallenge
  readonly credentialId: Buffer
  readonly publicKey: Buffer
  readonly counter: number
  readonly transports: readonly string[]
}

/** Null if the response is malformed, contains a certificate, or is for another origin, account or challenge. */
export async function verifyRegistration(
  site: Site,
  id: string,
  { id: credentialId, response }: RegistrationResponse,
): Promise<VerifiedRegistration | null> {
  const challenge = createChallengeCheck(site, challengeFor.register(id))
  try {
    const { clientDataJSON, attestationObject, transports } = response
    if (!(await isWithoutCertificate(attestationObject))) return null
    const { verifyRegistrationResponse } = await loadPasskeyLibrary()
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...FIXED,
        id: credentialId,
        rawId: credentialId,
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge.expectedChallenge,
      expectedOrigin: new URL(site.publicUrl).origin,
      expectedRPID: rpIdOf(site),
    })
    const used = challenge.used()
    if (!verified || used === null) return null
    const { credential } = registrationInfo
    return {
      challenge: used,
      credentialId: Buffer.from(credential.id, 'base64url'),
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: transports ?? [],
    }
  } catch {
    // The library throws for every part that does not match.
    return null
  }
}

/**
 * The options request no certificate of the authenticator, so a browser sends no attestation, or one that the passkey itself
 * signed. Refuse all others: to verify a certificate, the library would fetch a revocation list from an address inside it. Not all
 * formats store the certificate in `x5c`.
 */
async function isWithoutCertificate(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const bytes = Uint8Array.from(Buffer.from(attestationObject, 'base64url'))
  const attestation = decodeAttestationObject(bytes)
  const format = attestation.get('fmt')
  if (format === 'packed') return attestation.get('attStmt').get('x5c') === undefined
  return format === 'none'
}

type VerifiedAssertion = {
  readonly passkey: Passkey
  readonly counter: number
  readonly challenge: UsedChallenge
}

/** Null if the response is malformed, or not signed by a known passkey for this origin, purpose and account. */
export async function verifyAssertion(
  on: Queryable,
  site: Site,
  subject: string,
  { id, response }: AssertionResponse,
): Promise<VerifiedAssertion | null> {
  const passkey = await findPasskey(on, Buffer.from(id, 'base64url'))
  if (passkey === null) return null
  const challenge = createChallengeCheck(site, subject)
  try {
    const { clientDataJSON, authenticatorData, signature } = response
    const { verifyAuthenticationResponse } = await loadPasskeyLibrary()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...FIXED,
        id,
        rawId: id,
        response: { clientDataJSON, authenticatorData, signature },
      },
      expectedChallenge: challenge.expectedChallenge,
      expectedOrigin: new URL(site.publicUrl).origin,
      expectedRPID: rpIdOf(site),
      credential: {
        id,
        publicKey: Uint8Array.from(passkey.publicKey),
        // Below every counter: `usePasskey` checks it, so that a wrong one can be recorded.
        counter: -1,
      },
    })
    const used = challenge.used()
    if (!verified || used === null) return null
    return { passkey, counter: authenticationInfo.newCounter, challenge: used }
  } catch {
    return null
  }
}

type PasskeyUse = 'used' | 'replayed' | 'counter'

/** Updates the counter. Consumes the challenge even if the counter is refused. */
export async function usePasskey(
  tx: Tx,
  { passkey, counter, challenge }: VerifiedAssertion,
  at: Date,
): Promise<PasskeyUse> {
  if (!(await insertUsedChallenge(tx, challenge))) return 'replayed'
  if (!isCounterPlausible(passkey.counter, counter)) return 'counter'
  const isUsed = await setPasskeyUsed(tx, { passkeyId: passkey.passkeyId, counter, at })
  return isUsed ? 'used' : 'counter'
}
