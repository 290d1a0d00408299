import { createHmac, timingSafeEqual } from 'node:crypto'
import { digest } from './digest.ts'

/** How long a device stays known after a sign-in. */
export const DEVICE_LIFETIME_MS = 365 * 24 * 3_600_000

/** An account and the hash of its password or PIN. A new password or PIN makes every device unknown again. */
type DeviceOwner = { readonly account: string; readonly passwordHash: string | null }

/**
 * Creates the signed token that a device stores after a sign-in. The server stores nothing. The name of a device is the
 * day of the sign-in, so repeated sign-ins yield at most one name per day.
 */
export function signDevice(
  { account, passwordHash }: DeviceOwner,
  { key, now }: { key: Buffer; now: Date },
): string {
  const day = now.toISOString().slice(0, 10)
  const signed = JSON.stringify(['florin known device', day, account, passwordHash])
  return `${day}.${createHmac('sha256', key).update(signed).digest('base64url')}`
}

/** Returns the name of the device; null if the token is invalid, too old, or for another account or password. */
export function verifyDevice(
  signed: string,
  owner: DeviceOwner,
  { key, now }: { key: Buffer; now: Date },
): string | null {
  const [day = ''] = signed.split('.')
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime()) || now.getTime() - at.getTime() > DEVICE_LIFETIME_MS) return null
  const isOurs = timingSafeEqual(digest(signed), digest(signDevice(owner, { key, now: at })))
  return isOurs ? day : null
}
