import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { deliveryErrorText } from '../core/deliveryErrors.ts'
import { type AddressRules, isPublicAddress, portOf } from '../core/webhookUrl.ts'

/** The address may not be called. Merchants see the message in the attempt. */
export class AddressRefused extends Error {}

export type Resolve = (hostname: string) => Promise<readonly string[]>

// Uses the system's resolver, including the hosts file. Only for instances that may call private
// addresses, because a slow name server blocks one of libuv's few threads.
const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map(({ address }) => address)

const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** Queries the name servers without a thread, so that a slow one delays no other lookup. */
const resolveByDns: Resolve = async (hostname) => {
  const results = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
  if (addresses.length === 0 && results[0].status === 'rejected') throw results[0].reason
  return addresses
}

/** A name can have any number of addresses. */
const MAX_ADDRESSES = 4

/**
 * Returns the addresses to connect to, in order. The caller connects to exactly these addresses, so a name that resolves
 * differently a moment later (DNS rebinding) can't bypass the check.
 */
export async function resolveAddresses(
  url: URL,
  rules: AddressRules,
  resolve: Resolve = rules.allowPrivate ? resolveBySystem : resolveByDns,
): Promise<readonly string[]> {
  if (url.protocol !== 'https:' && !(rules.allowPrivate && url.protocol === 'http:')) {
    throw new AddressRefused(deliveryErrorText('https'))
  }
  const port = portOf(url)
  if (!rules.allowPrivate && !rules.allowedPorts.has(port)) {
    throw new AddressRefused(deliveryErrorText('port', port))
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname)
  const allowed = addresses.filter((address) => rules.allowPrivate || isPublicAddress(address))
  if (allowed.length === 0) throw new AddressRefused(deliveryErrorText('public'))
  return allowed.slice(0, MAX_ADDRESSES)
}
