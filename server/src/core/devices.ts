import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashToken } from './ids.ts'

/** How long a browser is known after somebody signed in there. */
export const KNOWN_MS = 365 * 24 * 3_600_000

/** An address, and the hash of its password: a new password makes every browser a stranger again. */
export type DeviceOwner = { readonly account: string; readonly passwordHash: string | null }

/**
 * What a browser keeps to show that somebody signed in to this account there. Nothing of it is stored here. It is
 * known by the day, so that who signs in again and again gathers no more than one name a day.
 */
export function signDevice(
  { account, passwordHash }: DeviceOwner,
  { key, now }: { key: Buffer; now: Date },
): string {
  const day = now.toISOString().slice(0, 10)
  const said = JSON.stringify(['florin known device', day, account, passwordHash])
  return `${day}.${createHmac('sha256', key).update(said).digest('base64url')}`
}

/** Its name; null where it was not signed by us, or too long ago, or for another account or password. */
export function deviceIn(
  signed: string,
  owner: DeviceOwner,
  { key, now }: { key: Buffer; now: Date },
): string | null {
  const [day = ''] = signed.split('.')
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || now.getTime() - at.getTime() > KNOWN_MS) return null
  const isOurs = timingSafeEqual(hashToken(signed), hashToken(signDevice(owner, { key, now: at })))
  return isOurs ? day : null
}
