import { answer, errors, IdempotencyHeaders } from '@florin/contract/common.js'
import {
  ResendWebhooksBody,
  ResentWebhooks,
  StoreKeyParams,
  WebhookLog,
  WebhookLogQuery,
  WebhookSecret,
} from '@florin/contract/developers.js'
import { listOf } from '@florin/contract/fields.js'
import {
  CreateKeyBody,
  Credential,
  IssuedCredential,
  RotateKeyBody,
} from '@florin/contract/operator.js'
import {
  CreatedPayment,
  CreatePaymentBody,
  PaymentStatus,
  SandboxPayBody,
} from '@florin/contract/payments.js'
import { ModeParams, StorePaymentParams } from '@florin/contract/store.js'
import { RotatedWebhookSecret } from '@florin/contract/webhooks.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import type { Role } from '../../core/person.ts'
import { decryptSecret } from '../../core/secrets.ts'
import { credentialFields } from '../../ops/credentials.ts'
import type { Service } from '../../service.ts'
import { findCredential, listCredentials } from '../../sql/credentials.ts'
import { findPreviousUntil, findSecrets } from '../../sql/stores.ts'
import { issueKey, keyOf, revokeKey, rotateKey } from '../kit/apiKeys.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { acceptJson } from '../kit/bodies.ts'
import { createPayment } from '../kit/createPayment.ts'
import { refuse, succeed } from '../kit/errorReply.ts'
import { payFromSandboxWallet, refuseLive } from '../kit/sandbox.ts'
import { createdView } from '../kit/views.ts'
import { renewWebhookSecret } from '../operator/webhooks.ts'
import { merchantCall, readStoreMode } from './mode.ts'
import { resendEvents, sendLog } from './webhooks.ts'

const OWNER: readonly Role[] = ['owner']

/** What connects a shop's own server: keys, the secret of its webhooks, their log, and trying it out. */
export async function storeDeveloperRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', readStoreMode)
  acceptJson(app)
  const { database } = service
  const ownerOf = (request: FastifyRequest) => {
    const { store, mode } = merchantOf(request)
    return { storeId: store.storeId, mode }
  }

  app.get(
    '/store/:mode/keys',
    {
      config: { roles: OWNER },
      schema: {
        ...docs,
        operationId: 'listKeys',
        summary: 'The API keys of this mode, without their secrets',
        params: ModeParams,
        response: { 200: answer(Type.Object({ keys: listOf(Credential) })), ...errors() },
      },
    },
    async (request, reply) => {
      const { storeId, mode } = ownerOf(request)
      const all = await listCredentials(database, storeId)
      const keys = all.filter((key) => key.mode === mode).map(credentialFields)
      return succeed(reply, 'Keys', { keys })
    },
  )

  app.post(
    '/store/:mode/keys',
    {
      attachValidation: true,
      config: { roles: OWNER, confirmed: true },
      schema: {
        ...docs,
        operationId: 'createKey',
        summary: 'Make an API key; its secret is shown this once',
        params: ModeParams,
        body: CreateKeyBody,
        response: { 200: answer(IssuedCredential), ...errors(400, 413, 415, 428) },
      },
    },
    (request, reply) => issueKey(service, request, reply, () => ownerOf(request)),
  )

  /** Another store's key, or one of the other mode, is no key. */
  async function refuseForeignKey(request: FastifyRequest, reply: FastifyReply) {
    const { storeId, mode } = ownerOf(request)
    const key = await findCredential(database, keyOf(request))
    if (key?.storeId !== storeId || key.mode !== mode) return refuse(reply, 'credential_unknown')
  }

  app.post(
    '/store/:mode/keys/:apiKey/rotate',
    {
      attachValidation: true,
      config: { roles: OWNER, confirmed: true, needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'rotateKey',
        summary: 'Give a key a new secret; the old one works on for a while',
        params: StoreKeyParams,
        body: RotateKeyBody,
        response: { 200: answer(IssuedCredential), ...errors(400, 413, 415, 428) },
      },
      preValidation: async (request) => {
        request.body ??= {}
      },
      preHandler: refuseForeignKey,
    },
    (request, reply) => rotateKey(service, request, reply),
  )

  app.delete(
    '/store/:mode/keys/:apiKey',
    {
      config: { roles: OWNER, confirmed: true, needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'revokeKey',
        summary: 'End an API key, at once and for good',
        params: StoreKeyParams,
        response: { 200: answer(Credential), ...errors(400, 413, 415, 428) },
      },
      preHandler: refuseForeignKey,
    },
    (request, reply) => revokeKey(service, request, reply),
  )

  app.get(
    '/store/:mode/webhook-secret',
    {
      config: { roles: OWNER, confirmed: true },
      schema: {
        ...docs,
        operationId: 'getWebhookSecret',
        summary: 'The secret that signs webhooks',
        params: ModeParams,
        response: { 200: answer(WebhookSecret), ...errors(428) },
      },
    },
    async (request, reply) => {
      const { storeId, mode } = ownerOf(request)
      const [[sealed], until] = await Promise.all([
        findSecrets(database, storeId, mode),
        findPreviousUntil(database, storeId, mode),
      ])
      return succeed(reply, 'Webhook secret', {
        mode,
        webhook_secret: decryptSecret(sealed!, service.secretKey),
        previous_secret_until: until && wireTime(until),
      })
    },
  )

  app.post(
    '/store/:mode/webhook-secret/rotate',
    {
      config: { roles: OWNER, confirmed: true, needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'renewWebhookSecret',
        summary: 'A new webhook secret; for a day both sign',
        params: ModeParams,
        response: { 200: answer(RotatedWebhookSecret), ...errors(400, 413, 415, 428) },
      },
    },
    (request, reply) => renewWebhookSecret(service, request, reply, ownerOf(request)),
  )

  app.get(
    '/store/:mode/webhooks',
    {
      attachValidation: true,
      config: { roles: PAGE_ROLES.developers },
      schema: {
        ...docs,
        operationId: 'listWebhookLog',
        summary: 'What the shop’s server was told, newest first',
        params: ModeParams,
        querystring: WebhookLogQuery,
        response: { 200: answer(WebhookLog), ...errors(400) },
      },
    },
    (request, reply) => sendLog(service, request, reply),
  )

  app.post(
    '/store/:mode/webhooks/resend',
    {
      attachValidation: true,
      config: { roles: PAGE_ROLES.developers },
      schema: {
        ...docs,
        operationId: 'resendWebhooks',
        summary: 'Send events again, by id or by filter, a page at a time',
        params: ModeParams,
        body: ResendWebhooksBody,
        response: { 200: answer(ResentWebhooks), ...errors(400, 409, 413, 415) },
      },
    },
    (request, reply) => resendEvents(service, request, reply),
  )

  await app.register(async (console) => {
    console.addHook('onRequest', refuseLive)
    console.post(
      '/store/:mode/console/payments',
      {
        attachValidation: true,
        config: { scope: 'create', roles: PAGE_ROLES.developers },
        schema: {
          ...docs,
          operationId: 'tryPayment',
          summary: 'Ask for sandbox money as a shop’s server would, and get what it would get',
          headers: IdempotencyHeaders,
          params: ModeParams,
          body: CreatePaymentBody,
          response: { 200: CreatedPayment, ...errors(400, 409, 413, 415, 422) },
        },
        preValidation: (request, reply, done) => {
          if (request.body === undefined) return void refuse(reply, 'unsupported_media_type')
          done()
        },
      },
      (request, reply) =>
        createPayment(
          merchantCall<{ body: CreatePaymentBody }>(service, request, reply),
          createdView,
        ),
    )
    console.post(
      '/store/:mode/console/payments/:paymentId/pay',
      {
        config: { scope: 'create', roles: PAGE_ROLES.developers, needsNoBody: true },
        schema: {
          ...docs,
          operationId: 'playPayer',
          summary: 'Pay or fail a sandbox payment',
          params: StorePaymentParams,
          body: SandboxPayBody,
          response: { 200: answer(PaymentStatus), ...errors(400, 409, 413, 415) },
        },
        preValidation: async (request) => {
          request.body ??= {}
        },
      },
      (request, reply) =>
        payFromSandboxWallet(
          merchantCall<{ params: StorePaymentParams; body: SandboxPayBody; data: PaymentStatus }>(
            service,
            request,
            reply,
          ),
        ),
    )
  })
}
