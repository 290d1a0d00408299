import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { OPERATOR_ACCOUNTS } from '../kit/account/accounts.ts'
import { passwordLinkRoutes } from '../kit/account/passwordLinks.ts'
import { OPERATOR, withoutCredentials } from '../kit/audiences.ts'
import { type Authenticator, authenticateRequests } from '../kit/authenticate.ts'
import { routesFor } from '../kit/route.ts'
import { approvalRoutes } from './approvals.ts'
import { auditLogRoutes } from './auditLog.ts'
import { businessRoutes } from './business.ts'
import { keyRoutes, storeKeyRoutes } from './credentials.ts'
import { ledgerRoutes } from './ledger.ts'
import { mailRoutes } from './mail.ts'
import { storeMoneyRoutes, walletMoneyRoutes } from './money.ts'
import { operatorRoutes, securitySettingRoutes } from './operators.ts'
import { paymentRoutes, storePaymentRoutes } from './payments.ts'
import { personRoutes, storePersonRoutes } from './people.ts'
import { pinLimitRoutes } from './pinLimits.ts'
import { platformRoutes } from './platform.ts'
import { clientPrivacyRoutes, payerPrivacyRoutes } from './privacy.ts'
import { rateRoutes } from './rates.ts'
import { securityEventRoutes } from './securityEvents.ts'
import { sessionRoutes, signInRoutes } from './session.ts'
import { storeCollectionRoutes, storeRoutes } from './stores.ts'
import { findSubjectStore, findSubjectWallet, STORE_OPERATOR, WALLET_OPERATOR } from './subjects.ts'
import { tokenRoutes } from './tokens.ts'
import { walletCollectionRoutes, walletRoutes } from './wallets.ts'
import { queueRoutes, storeWebhookRoutes } from './webhooks.ts'

/** Endpoints for operators. The console and the command line use the same ones. */
export async function operatorApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  await app.register(async (open) => {
    const route = await routesFor(open, service, withoutCredentials(OPERATOR))
    signInRoutes(route)
    passwordLinkRoutes(route, OPERATOR_ACCOUNTS)
  })
  await app.register(async (signedIn) => {
    authenticateRequests(signedIn, authenticate.operator)
    const withOwnLimits = { ...service, ...service.operatorReads }
    await platformApi(signedIn, withOwnLimits)
    await signedIn.register((scope) => storeApi(scope, withOwnLimits))
    await signedIn.register((scope) => walletApi(scope, withOwnLimits))
  })
}

async function platformApi(app: FastifyInstance, service: Service): Promise<void> {
  const route = await routesFor(app, service, OPERATOR)
  storeCollectionRoutes(route)
  keyRoutes(route)
  tokenRoutes(route)
  personRoutes(route)
  rateRoutes(route)
  walletCollectionRoutes(route)
  pinLimitRoutes(route)
  queueRoutes(route)
  auditLogRoutes(route)
  paymentRoutes(route)
  securityEventRoutes(route)
  sessionRoutes(route)
  operatorRoutes(route)
  approvalRoutes(route)
  securitySettingRoutes(route)
  platformRoutes(route)
  businessRoutes(route)
  ledgerRoutes(route)
  mailRoutes(route)
}

/** Endpoints under `/operator/stores/:storeId`. */
async function storeApi(app: FastifyInstance, service: Service): Promise<void> {
  app.decorateRequest('subjectStore', null)
  app.addHook('preValidation', findSubjectStore(service))
  const route = await routesFor(app, service, STORE_OPERATOR)
  storeRoutes(route)
  storeMoneyRoutes(route)
  storePaymentRoutes(route)
  storeKeyRoutes(route)
  storePersonRoutes(route)
  storeWebhookRoutes(route)
  clientPrivacyRoutes(route)
}

/** Endpoints under `/operator/wallets/:walletId`. */
async function walletApi(app: FastifyInstance, service: Service): Promise<void> {
  app.decorateRequest('subjectWallet', null)
  app.addHook('preValidation', findSubjectWallet(service))
  const route = await routesFor(app, service, WALLET_OPERATOR)
  walletRoutes(route)
  walletMoneyRoutes(route)
  payerPrivacyRoutes(route)
}
