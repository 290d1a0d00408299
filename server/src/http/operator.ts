import type { FastifyInstance } from 'fastify'
import type { Service } from '../service.ts'
import type { Authenticator } from './authenticate.ts'
import { operatorAuditRoutes } from './operatorAudit.ts'
import { operatorCredentialRoutes } from './operatorCredentials.ts'
import { operatorLedgerRoutes } from './operatorLedger.ts'
import { operatorOperatorRoutes } from './operatorOperators.ts'
import { operatorPeopleRoutes } from './operatorPeople.ts'
import { operatorPlatformRoutes } from './operatorPlatform.ts'
import { operatorPrivacyRoutes } from './operatorPrivacy.ts'
import { operatorRateRoutes } from './operatorRates.ts'
import { operatorStoreRoutes } from './operatorStores.ts'
import { operatorWalletRoutes } from './operatorWallets.ts'
import { operatorWebhookRoutes } from './operatorWebhooks.ts'

/** What the operator does by API; the console and the command line do the same through the same routes. */
export async function operatorRoutes(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  app.addHook('onRequest', authenticate.operator)
  await operatorStoreRoutes(app, service)
  await operatorCredentialRoutes(app, service)
  await operatorPeopleRoutes(app, service)
  await operatorRateRoutes(app, service)
  await operatorWalletRoutes(app, service)
  await operatorWebhookRoutes(app, service)
  await operatorAuditRoutes(app, service)
  await operatorOperatorRoutes(app, service)
  await operatorPlatformRoutes(app, service)
  await operatorLedgerRoutes(app, service)
  await operatorPrivacyRoutes(app, service)
}
