import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { MODES } from '../../core/ids.ts'
import { mayOpen } from '../../core/pages.ts'
import { rolesFor } from '../../core/person.ts'
import type { Service } from '../../service.ts'
import { PERSON_ACCOUNTS } from '../kit/account/accounts.ts'
import { passwordLinkRoutes } from '../kit/account/passwordLinks.ts'
import { personCookie } from '../kit/account/sessionCookie.ts'
import { PERSON, PERSON_IN_MODE, withoutCredentials } from '../kit/audiences.ts'
import { type Authenticator, authenticateRequests } from '../kit/authenticate.ts'
import { createCsvSender } from '../kit/csvFiles.ts'
import { guardUnknownPaths } from '../kit/http/unknownPaths.ts'
import { refuseLive } from '../kit/payment/sandbox.ts'
import { refuse } from '../kit/replies.ts'
import { routesFor } from '../kit/route.ts'
import { bookRoutes } from './books.ts'
import { changeRoutes } from './changes.ts'
import { clientRoutes } from './clients.ts'
import { consoleRoutes, developerRoutes } from './developers.ts'
import { exportRoutes } from './exports.ts'
import { linkRoutes } from './links.ts'
import { overviewRoutes } from './overview.ts'
import { paymentRoutes } from './payments.ts'
import { peopleRoutes } from './people.ts'
import { securityEventRoutes } from './securityEvents.ts'
import { sessionRoutes, signInRoutes } from './session.ts'
import { settingRoutes } from './settings.ts'
import { setupRoutes } from './setup.ts'
import { tillRoutes } from './till.ts'
import { webhookRoutes } from './webhooks.ts'

/** Endpoints for the people of a store: till and dashboard. */
export async function storeApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  await app.register(async (open) => {
    const route = await routesFor(open, service, withoutCredentials(PERSON))
    signInRoutes(route)
    passwordLinkRoutes(route, PERSON_ACCOUNTS)
  })
  await app.register(async (signedIn) => {
    authenticateRequests(signedIn, authenticate.person)
    await guardUnknownPaths(signedIn, '/store/')
    const route = await routesFor(signedIn, service, PERSON)
    sessionRoutes(route)
    settingRoutes(route)
    setupRoutes(route)
    tillRoutes(route)
    peopleRoutes(route)
    securityEventRoutes(route)
    changeRoutes(signedIn, service)
    await signedIn.register((inMode) => modeRoutes(inMode, service))
  })
}

/** Routes under `/store/:mode`. */
async function modeRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', readMode)
  const route = await routesFor(app, service, PERSON_IN_MODE)
  paymentRoutes(route)
  overviewRoutes(route)
  bookRoutes(route)
  const sendCsv = createCsvSender(app, async (request) => {
    const person = await service.personSessions.get(personCookie.tokenOf(request)!)
    return person !== null && rolesFor(request.routeOptions.config).includes(person.role)
  })
  exportRoutes(route, sendCsv)
  linkRoutes(route, sendCsv)
  developerRoutes(route)
  webhookRoutes(route)
  clientRoutes(route)
  await app.register(async (sandbox) => {
    sandbox.addHook('onRequest', refuseLive)
    consoleRoutes(await routesFor(sandbox, service, PERSON_IN_MODE))
  })
}

/** The person acts for the store in the mode that the path names, like an API key of that mode. */
async function readMode(
  request: FastifyRequest<{ Params: { readonly mode: string } }>,
  reply: FastifyReply,
) {
  const mode = MODES.find((known) => known === request.params.mode)
  if (mode === undefined) return refuse(reply, 'path_unknown')
  const { store, scopes, actor, role } = request.person!
  // Cashiers see neither balances nor webhooks.
  const canSeeWebhooks = mayOpen(role, 'balance')
  request.merchant = { store, mode, scopes, actor, apiKey: null, canSeeWebhooks }
}
