import { Keys, StoreKeyParams, WebhookSecret } from '@florin/contract/developers.js'
import {
  CreateKeyBody,
  Credential,
  IssuedCredential,
  RotateKeyBody,
} from '@florin/contract/keys.js'
import { CreatedPayment, CreatePaymentBody, PaymentStatus } from '@florin/contract/payments.js'
import { SandboxPayBody } from '@florin/contract/sandbox.js'
import { ModeParams, StorePaymentParams } from '@florin/contract/store.js'
import { RotatedWebhookSecret } from '@florin/contract/webhooks.js'
import { wireTime } from '../../core/calendar.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import { storableId } from '../../core/text.ts'
import { credentialFields } from '../../ops/credentials.ts'
import { revealWebhookSecret } from '../../ops/secrets.ts'
import { findCredential, listCredentials } from '../../sql/credentials.ts'
import { issueKey, revokeKey, rotateKey } from '../kit/apiKeys.ts'
import type { PersonInMode } from '../kit/audiences.ts'
import { createPayment, prepareBody } from '../kit/payment/createPayment.ts'
import { payFromSandboxWallet } from '../kit/payment/sandbox.ts'
import { refuse, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { createdView } from '../kit/views.ts'
import { rotateStoreSecret } from '../kit/webhookSecret.ts'

/** API keys and the webhook secret, for the owner. */
export function developerRoutes(route: DeclareRoute<PersonInMode>): void {
  route('GET /store/:mode/keys', {
    operationId: 'listKeys',
    summary: 'List API keys',
    description: 'Lists the API keys of this mode, without their secrets.',
    roles: ['owner'],
    params: ModeParams,
    data: Keys,
    handler: async ({ service, caller, reply }) => {
      const { storeId } = caller
      const keys = await service.readOfStore(storeId, () =>
        listCredentials(service.database, storeId),
      )
      return succeed(reply, 'Keys', {
        keys: keys.filter((key) => key.mode === caller.mode).map(credentialFields),
      })
    },
  })

  route('POST /store/:mode/keys', {
    operationId: 'createKey',
    summary: 'Create an API key',
    description: 'Creates an API key. Its secret is shown only once.',
    roles: ['owner'],
    needsConfirmation: true,
    params: ModeParams,
    body: CreateKeyBody,
    data: IssuedCredential,
    handler: (call) =>
      issueKey(call, call.caller, { defaultScopes: ['read', 'create'], isLimited: true }),
  })

  route('POST /store/:mode/keys/:apiKey/rotate', {
    operationId: 'rotateKey',
    summary: 'Rotate the secret of an API key',
    description:
      'Creates a new secret. The old one keeps working for `overlap_seconds`; the one before it ends immediately.',
    roles: ['owner'],
    needsConfirmation: true,
    params: StoreKeyParams,
    body: RotateKeyBody,
    hasOptionalBody: true,
    data: IssuedCredential,
    // An unknown key takes precedence over an invalid body.
    hasOwnChecks: true,
    handler: async (call) => ((await isOwnKey(call)) ? rotateKey(call) : refuseKey(call)),
  })

  route('DELETE /store/:mode/keys/:apiKey', {
    operationId: 'revokeKey',
    summary: 'Revoke an API key',
    description: 'Revokes an API key, on every process within 5 seconds. This cannot be undone.',
    roles: ['owner'],
    needsConfirmation: true,
    params: StoreKeyParams,
    hasOptionalBody: true,
    data: Credential,
    handler: async (call) => ((await isOwnKey(call)) ? revokeKey(call) : refuseKey(call)),
  })

  route('GET /store/:mode/webhook-secret', {
    operationId: 'getWebhookSecret',
    summary: 'Get the webhook secret',
    description: 'Returns the secret that signs webhooks. The audit log records who read it.',
    roles: ['owner'],
    needsConfirmation: true,
    params: ModeParams,
    data: WebhookSecret,
    handler: async ({ service, caller, reply }) => {
      const { storeId, mode, actor } = caller
      const { database, secretKey } = service
      const revealed = await revealWebhookSecret(database, actor, { storeId, mode }, secretKey)
      const { secret, previousUntil } = revealed
      return succeed(reply, 'Webhook secret', {
        mode,
        webhook_secret: secret,
        previous_secret_until: previousUntil && wireTime(previousUntil),
      })
    },
  })

  route('POST /store/:mode/webhook-secret/rotate', {
    operationId: 'renewWebhookSecret',
    summary: 'Rotate the webhook secret',
    description: 'Creates a new webhook secret. For a day, events are signed with both secrets.',
    roles: ['owner'],
    needsConfirmation: true,
    params: ModeParams,
    hasOptionalBody: true,
    data: RotatedWebhookSecret,
    handler: (call) => rotateStoreSecret(call, call.caller),
  })
}

/** The API console of the dashboard, for the sandbox only. */
export function consoleRoutes(route: DeclareRoute<PersonInMode>): void {
  route('POST /store/:mode/console/payments', {
    operationId: 'tryPayment',
    summary: 'Create a sandbox payment',
    description: 'Creates a payment like `POST /merchant/payment/create`, with the same response.',
    scope: 'create',
    roles: PAGE_ROLES.developers,
    takesIdempotencyKey: true,
    params: ModeParams,
    body: CreatePaymentBody,
    response: CreatedPayment,
    hasOwnChecks: true,
    preValidation: prepareBody,
    handler: (call) => createPayment(call, createdView),
  })

  route('POST /store/:mode/console/payments/:paymentId/pay', {
    operationId: 'simulatePayer',
    summary: 'Pay or fail a sandbox payment',
    description: 'Pays from a wallet that never runs out of money, or fails the payment.',
    scope: 'create',
    roles: PAGE_ROLES.developers,
    params: StorePaymentParams,
    body: SandboxPayBody,
    hasOptionalBody: true,
    data: PaymentStatus,
    errors: [409],
    handler: payFromSandboxWallet,
  })
}

type KeyCall = Call<PersonInMode, { params: StoreKeyParams }>

/** Whether the key belongs to the store and mode of the request. */
async function isOwnKey({ service, caller, params }: KeyCall): Promise<boolean> {
  const key = await findCredential(service.database, storableId(params.apiKey))
  return key?.storeId === caller.storeId && key.mode === caller.mode
}

const refuseKey = ({ reply }: KeyCall) => refuse(reply, 'credential_unknown')
