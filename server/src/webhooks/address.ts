import { lookup, Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { type AddressRules, isPublicAddress, portOf } from '../core/webhookUrl.ts'

/** Why an address was not called; the words are what the merchant reads in the attempt. */
export class AddressRefused extends Error {}

export type Resolve = (hostname: string) => Promise<readonly string[]>

// As the machine resolves names, its own hosts file included. Only where anything may be called, because
// it takes one of few threads for as long as a name server pleases.
const lookUp: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true, verbatim: true })).map((one) => one.address)

const resolver = new Resolver({ timeout: 2_000, tries: 2 })

/** Asks the name servers without a thread, so that one who never answers holds up nobody. */
const askNameServers: Resolve = async (hostname) => {
  const answers = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ])
  const addresses = answers.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))
  if (addresses.length === 0 && answers[0].status === 'rejected') throw answers[0].reason
  return addresses
}

/**
 * The one address to connect to. It is judged here and connected to as it is, so a name that answers
 * otherwise a moment later changes nothing.
 */
export async function addressToCall(
  url: URL,
  rules: AddressRules,
  resolve: Resolve = rules.allowPrivate ? lookUp : askNameServers,
): Promise<string> {
  if (url.protocol !== 'https:' && !(rules.allowPrivate && url.protocol === 'http:')) {
    throw new AddressRefused('only https addresses are called')
  }
  const port = portOf(url)
  if (!rules.allowPrivate && !rules.allowedPorts.has(port)) {
    throw new AddressRefused(`port ${port} is not called`)
  }
  const hostname = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(hostname) ? [hostname] : await resolve(hostname)
  const chosen = addresses.find((address) => rules.allowPrivate || isPublicAddress(address))
  if (chosen === undefined) throw new AddressRefused('only public addresses are called')
  return chosen
}
