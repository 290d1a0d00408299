import { PaymentIdParams, PaymentStatus } from '@florin/contract/payments.js'
import { SandboxPayBody } from '@florin/contract/sandbox.js'
import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { SANDBOX } from '../kit/audiences.ts'
import { type Authenticator, authenticateRequests, type Merchant } from '../kit/authenticate.ts'
import { guardUnknownPaths } from '../kit/http/unknownPaths.ts'
import { expirePayment } from '../kit/payment/payments.ts'
import { payFromSandboxWallet, refuseLive } from '../kit/payment/sandbox.ts'
import { type DeclareRoute, routesFor } from '../kit/route.ts'

/** Endpoints that simulate the payer, so that you can test an integration without a wallet. */
export async function sandboxApi(
  app: FastifyInstance,
  service: Service,
  authenticate: Authenticator,
): Promise<void> {
  authenticateRequests(app, authenticate.merchant)
  await guardUnknownPaths(app, '/sandbox/')
  await app.register(async (sandbox) => {
    sandbox.addHook('onRequest', refuseLive)
    paymentRoutes(await routesFor(sandbox, service, SANDBOX))
  })
}

function paymentRoutes(route: DeclareRoute<Merchant>): void {
  route('POST /sandbox/payment/:paymentId/pay', {
    operationId: 'sandboxPay',
    summary: 'Pay or fail a sandbox payment',
    description:
      'Pays from a wallet that never runs out of money, or fails the payment. Live API keys are refused.',
    scope: 'create',
    params: PaymentIdParams,
    body: SandboxPayBody,
    hasOptionalBody: true,
    data: PaymentStatus,
    errors: [409],
    handler: payFromSandboxWallet,
  })

  route('POST /sandbox/payment/:paymentId/expire', {
    operationId: 'sandboxExpire',
    summary: 'Expire a sandbox payment',
    description:
      'Expires a pending payment immediately. Live API keys are refused. A body is ignored.',
    scope: 'create',
    params: PaymentIdParams,
    ignoresBody: true,
    data: PaymentStatus,
    errors: [409],
    handler: (call) => expirePayment(call, 'simulated'),
  })
}
