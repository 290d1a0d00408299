import ipaddr from 'ipaddr.js'
import { isStorable } from './text.ts'

export type AddressRules = {
  /** Allows loopback, private networks, plain http and every port, for local development. */
  readonly allowPrivate: boolean
  readonly allowedPorts: ReadonlySet<number>
}

/** Validates a webhook URL. The addresses of host names are checked at delivery. */
export function webhookUrlProblem(
  text: string,
  { allowPrivate, allowedPorts }: AddressRules,
): string | null {
  const problem = urlProblem(text)
  if (problem !== null || allowPrivate) return problem
  const url = new URL(text)
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (isPrivateHost(url.hostname)) return 'must be a public address'
  if (!allowedPorts.has(portOf(url))) {
    return `must use an allowed port: ${[...allowedPorts].join(', ')}`
  }
  return null
}

export const portOf = (url: URL): number =>
  Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/** Validates an absolute http or https URL. */
export function urlProblem(text: string): string | null {
  if (!isStorable(text)) return 'contains characters that cannot be stored'
  // The URL parser silently drops tabs and line breaks.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'must be an absolute URL'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'must begin with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hostname === '') return 'must be an absolute URL'
  return null
}

/** True for localhost and for a literal private address. The URL parser has already normalized forms such as 0x7f000001. */
function isPrivateHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  if (/(^|\.)localhost\.?$/i.test(host)) return true
  if (!ipaddr.isValid(host)) return false
  return !isPublicAddress(host)
}

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Public unicast, and not IPv4 embedded in IPv6. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // Only this range of IPv6 is allocated. The rest includes ranges that embed IPv4 addresses.
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6)
}
