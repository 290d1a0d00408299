import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isPublicAddress } from '../core/webhookUrl.ts'

/** Why an address was not called; the words are what the merchant reads in the attempt. */
export class AddressRefused extends Error {}

export type AddressRules = {
  /** Loopback, private networks and plain http, for a developer's own machine. */
  readonly allowPrivate: boolean
  readonly allowedPorts: ReadonlySet<number>
}

export type Resolve = (hostname: string) => Promise<readonly string[]>

const resolveAll: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map((one) => one.address)

/**
 * The one address to connect to. It is judged here and connected to as it is, so a name that answers
 * otherwise a moment later changes nothing.
 */
export async function addressToCall(
  url: URL,
  rules: AddressRules,
  resolve: Resolve = resolveAll,
): Promise<string> {
  if (url.protocol !== 'https:' && !(rules.allowPrivate && url.protocol === 'http:')) {
    throw new AddressRefused('only https addresses are called')
  }
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  if (!rules.allowPrivate && !rules.allowedPorts.has(port)) {
    throw new AddressRefused(`port ${port} is not called`)
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname)
  const chosen = addresses.find((address) => rules.allowPrivate || isPublicAddress(address))
  if (chosen === undefined) throw new AddressRefused('only public addresses are called')
  return chosen
}
