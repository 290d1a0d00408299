import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import type { Authenticator } from '../kit/authenticate.ts'
import { operatorAuditRoutes } from './auditLog.ts'
import { operatorCredentialRoutes } from './credentials.ts'
import { operatorLedgerRoutes } from './ledger.ts'
import { operatorOperatorRoutes } from './operators.ts'
import { operatorPeopleRoutes } from './people.ts'
import { operatorPlatformRoutes } from './platform.ts'
import { operatorPrivacyRoutes } from './privacy.ts'
import { operatorRateRoutes } from './rates.ts'
import { operatorStoreRoutes } from './stores.ts'
import { operatorWalletRoutes } from './wallets.ts'
import { operatorWebhookRoutes } from './webhooks.ts'

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
