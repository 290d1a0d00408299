import { hash, verify } from '@node-rs/argon2'
import { digest } from '../core/digest.ts'
import { matchesHash } from './signIns.ts'

const KEY_ID_BYTES = 6
const KEY_ID = /,keyid=[A-Za-z0-9+/]+\$/

/** A PHC string whose `keyid` identifies the pepper. */
export async function hashPin(pin: string, pepper: Buffer): Promise<string> {
  const hashed = await hash(pin, { secret: pepper })
  const keyId = digest(pepper.toString('base64')).toString('base64', 0, KEY_ID_BYTES)
  return hashed.replace(/(,p=\d+)\$/, `$1,keyid=${keyId}$$`)
}

/** False for a PIN that was set before peppers were introduced. */
export const isPeppered = (pinHash: string): boolean => KEY_ID.test(pinHash)

export function matchesPin(pinHash: string | null, pin: string, pepper: Buffer): Promise<boolean> {
  if (pinHash === null || !isPeppered(pinHash)) return matchesHash(pinHash, pin)
  return verify(pinHash, pin, { secret: pepper })
}
