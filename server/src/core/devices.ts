import { createHmac, timingSafeEqual } from 'node:crypto'
import { hashToken } from './ids.ts'

/** What a browser keeps to show that somebody signed in to this account there. Nothing of it is stored here. */
export function signDevice(name: string, account: string, key: Buffer): string {
  const mark = createHmac('sha256', key).update(`florin known device ${name} ${account}`)
  return `${name}.${mark.digest('base64url')}`
}

/** The name of the device, or null where it was not signed by us, or for another account. */
export function deviceIn(signed: string, account: string, key: Buffer): string | null {
  const [name = ''] = signed.split('.')
  const isOurs = timingSafeEqual(hashToken(signed), hashToken(signDevice(name, account, key)))
  return isOurs ? name : null
}
