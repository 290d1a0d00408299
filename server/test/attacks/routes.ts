import { type Operation, operationsOf, readDocument } from '../openapi/contract.ts'
import type { TestService } from '../setup/testService.ts'

/** The audience of a route. `open` routes need no credentials. */
export type Kind = 'merchant' | 'person' | 'wallet' | 'operator' | 'open'

export type Route = Operation & { readonly kind: Kind; readonly 'x-roles'?: readonly string[] }

/** Pages, assets and streams of events: every route that is not an API call. */
export const PAGES = [
  '/',
  '/wallet',
  '/till',
  '/dashboard',
  '/operator',
  '/docs',
  '/docs/:name',
  '/pay/:paymentId',
  '/pay/:paymentId/state',
  '/pay/:paymentId/events',
  '/link/:linkId',
  '/assets/:file',
  '/wallet/events',
  '/store/changes',
  '/wallet.webmanifest',
  '/wallet-worker.js',
  '/wallet-icons/:file',
]

/** Streams of events, which need a session. */
const STREAMS = ['/wallet/events', '/store/changes']

/** Pages without parameters that need no credentials. */
export const OPEN_PAGES = PAGES.filter((path) => !path.includes(':') && !STREAMS.includes(path))

export async function routesOf(t: TestService): Promise<Route[]> {
  return operationsOf(await readDocument(t)).map((operation) => ({
    ...operation,
    kind: kindOf(operation),
  }))
}

export function kindOf({ security = [] }: Operation): Kind {
  const schemes = security.flatMap((scheme) => Object.keys(scheme))
  if (schemes.includes('apiKey')) return 'merchant'
  if (schemes.includes('person')) return 'person'
  if (schemes.includes('wallet')) return 'wallet'
  return schemes.length > 0 ? 'operator' : 'open'
}

/** Every method and path of the router, such as `GET /pay/:paymentId`. */
export function servedBy({ app }: TestService): string[] {
  const routes: string[] = []
  const prefixes: string[] = []
  for (const line of app.printRoutes({ commonPrefix: false }).trim().split('\n')) {
    const [, indent, part, methods] = /^([│ ]*)[├└]── (\S*) \((.*)\)$/.exec(line)!
    const depth = indent!.length / 4
    prefixes[depth] = (prefixes[depth - 1] ?? '') + part!
    for (const method of methods!.split(', ')) routes.push(`${method} ${prefixes[depth]}`)
  }
  return routes
}
