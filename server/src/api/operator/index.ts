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
import { operatorSignInRoutes } from './session.ts'
import { operatorStoreRoutes } from './stores.ts'
import { operatorWalletRoutes } from './wallets.ts'
import { operatorWebhookRoutes } from './webhooks.ts'

/** Endpoints for operators. The console and the command line use the same ones. */
export async function operatorApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  await app.register((scope) => operatorSignInRoutes(scope, service))
  await app.register(async (signedIn) => {
    signedIn.addHook('onRequest', authenticate.operator)
    await operatorStoreRoutes(signedIn, service)
    await operatorCredentialRoutes(signedIn, service)
    await operatorPeopleRoutes(signedIn, service)
    await operatorRateRoutes(signedIn, service)
    await operatorWalletRoutes(signedIn, service)
    await operatorWebhookRoutes(signedIn, service)
    await operatorAuditRoutes(signedIn, service)
    await operatorOperatorRoutes(signedIn, service)
    await operatorPlatformRoutes(signedIn, service)
    await operatorLedgerRoutes(signedIn, service)
    await operatorPrivacyRoutes(signedIn, service)
  })
}
