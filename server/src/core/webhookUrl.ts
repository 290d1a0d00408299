import ipaddr from 'ipaddr.js'
import { isStorable } from './text.ts'

export type AddressRules = {
  /** Loopback, private networks, plain http and every port, for a developer's own machine. */
  readonly allowPrivate: boolean
  readonly allowedPorts: ReadonlySet<number>
}

/** What is wrong with a webhook address as it is written. Names are judged when they are called. */
export function webhookUrlProblem(
  text: string,
  { allowPrivate, allowedPorts }: AddressRules,
): string | null {
  const problem = urlProblem(text)
  if (problem !== null || allowPrivate) return problem
  const url = new URL(text)
  if (url.protocol !== 'https:') return 'must begin with https://'
  if (isPrivateLiteral(url.hostname)) return 'must be a public address'
  if (!allowedPorts.has(portOf(url))) {
    return `must use an allowed port: ${[...allowedPorts].join(', ')}`
  }
  return null
}

export const portOf = (url: URL): number =>
  Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/** What is wrong with an absolute web address as it is written. */
export function urlProblem(text: string): string | null {
  if (!isStorable(text)) return 'contains characters that cannot be stored'
  // The URL parser drops tabs and line breaks without a word.
  if (/[\s\p{Cc}]/u.test(text) || !URL.canParse(text)) return 'must be an absolute URL'
  const url = new URL(text)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return 'must begin with http:// or https://'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.hostname === '') return 'must be an absolute URL'
  return null
}

/** The URL parser has already turned spellings such as 0x7f000001 into dotted ones. */
function isPrivateLiteral(hostname: string): boolean {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (/(^|\.)localhost\.?$/i.test(literal)) return true
  if (!ipaddr.isValid(literal)) return false
  return !isPublicAddress(literal)
}

const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Unicast on the public internet, and not an IPv4 address in an IPv6 coat. */
export function isPublicAddress(address: string): boolean {
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  // Of IPv6 only this much has ever been given out; the rest holds old and odd spellings of IPv4.
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6)
}
