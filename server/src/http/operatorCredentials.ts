import type { FastifyInstance, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { parseTime } from '../core/calendar.ts'
import { SCOPES, type Scope } from '../core/credentials.ts'
import type { Mode } from '../core/ids.ts'
import { decryptSecret } from '../core/secrets.ts'
import { isStorable } from '../core/text.ts'
import {
  credentialFields,
  type Issued,
  issueCredential,
  issueOperatorToken,
  revokeCredential,
  revokeOperator,
  rotateCredential,
} from '../ops/credentials.ts'
import type { Service } from '../service.ts'
import { listCredentials } from '../store/credentials.ts'
import { findSecrets } from '../store/stores.ts'
import { refuse, refuseInvalid, succeed } from './errorReply.ts'
import { storeOf } from './operatorStores.ts'
import { answer, OPERATOR_DOCS as docs, errors } from './schemas/common.ts'
import { listOf, shown } from './schemas/fields.ts'
import {
  CredentialView,
  IssueBody,
  IssuedData,
  KeyParams,
  OperatorTokenBody,
  RotateBody,
  StoreParams,
} from './schemas/operator.ts'
import { schemaProblems } from './validation.ts'

const tokenLabel = () => shown('What you call the token.')

const ONE_DAY_SECONDS = 86_400
/** Past it a time has more digits than the wire's format. */
const LATEST = new Date('9999-12-31T23:59:59Z')

export async function operatorCredentialRoutes(app: FastifyInstance, service: Service) {
  /** What the merchant is given, once. */
  async function issuedView({ credential, apiSecret }: Issued) {
    const [sealed] = await findSecrets(service.database, credential.storeId, credential.mode)
    return {
      ...credentialFields(credential),
      api_secret: apiSecret,
      webhook_secret: decryptSecret(sealed!, service.secretKey),
    }
  }

  app.post(
    '/operator/stores/:storeId/credentials',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'issueCredential',
        summary: 'Issue an API key with its secret',
        params: StoreParams,
        body: IssueBody,
        response: { 200: answer(IssuedData), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const problems = schemaProblems(request)
      const fields = request.body as {
        mode: Mode
        label?: string | null
        scopes?: Scope[] | null
        expires_at?: string | null
      }
      const wanted = problems.length === 0 ? (fields.expires_at ?? null) : null
      const expiresAt = wanted === null ? null : parseTime(wanted)
      if (
        wanted !== null &&
        (expiresAt === null || expiresAt <= new Date() || expiresAt > LATEST)
      ) {
        problems.push({ field: 'expires_at', message: 'expires_at must be a time in the future' })
      }
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const issued = await issueCredential(service.database, request.actor!, {
        storeId: store.storeId,
        mode: fields.mode,
        label: fields.label ?? '',
        scopes: [...new Set(fields.scopes ?? SCOPES)],
        expiresAt,
      })
      return succeed(reply, 'Credential issued', await issuedView(issued))
    },
  )

  app.get(
    '/operator/stores/:storeId/credentials',
    {
      schema: {
        ...docs,
        operationId: 'listCredentials',
        summary: 'The API keys of a store, without their secrets',
        params: StoreParams,
        response: {
          200: answer(Type.Object({ credentials: listOf(CredentialView) })),
          ...errors(),
        },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const credentials = await listCredentials(service.database, store.storeId)
      return succeed(reply, 'Credentials', { credentials: credentials.map(credentialFields) })
    },
  )

  app.post(
    '/operator/credentials/:apiKey/rotate',
    {
      attachValidation: true,
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'rotateCredential',
        summary: 'Give an API key a new secret; the old one works on for a while',
        params: KeyParams,
        body: RotateBody,
        response: { 200: answer(IssuedData), ...errors(400, 413, 415) },
      },
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { overlap_seconds } = request.body as { overlap_seconds?: number | null }
      const apiKey = keyOf(request)
      const issued = await rotateCredential(service.database, request.actor!, {
        apiKey,
        overlapSeconds: overlap_seconds ?? ONE_DAY_SECONDS,
      })
      service.credentials.forget(apiKey)
      if (issued === null) return refuse(reply, 'credential_unknown')
      return succeed(reply, 'Credential rotated', await issuedView(issued))
    },
  )

  app.delete(
    '/operator/credentials/:apiKey',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'revokeCredential',
        summary: 'Revoke an API key',
        params: KeyParams,
        response: { 200: answer(CredentialView), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const apiKey = keyOf(request)
      const revoked = await revokeCredential(service.database, request.actor!, apiKey)
      service.credentials.forget(apiKey)
      if (revoked === null) return refuse(reply, 'credential_unknown')
      return succeed(reply, 'Credential revoked', credentialFields(revoked))
    },
  )

  app.post(
    '/operator/tokens',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'issueOperatorToken',
        summary: 'Issue a token for another operator',
        body: OperatorTokenBody,
        response: {
          200: answer(Type.Object({ label: tokenLabel(), token: shown('Shown this once.') })),
          ...errors(400, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { label } = request.body as { label: string }
      const token = await issueOperatorToken(service.database, request.actor!, label)
      return succeed(reply, 'Token issued', { label, token })
    },
  )

  app.delete(
    '/operator/tokens/:label',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'revokeOperatorTokens',
        summary: 'Revoke the tokens with a label',
        params: Type.Object({ label: tokenLabel() }),
        response: {
          200: answer(Type.Object({ label: tokenLabel() })),
          ...errors(400, 413, 415),
        },
      },
    },
    async (request, reply) => {
      const { label } = request.params as { label: string }
      const isRevoked =
        isStorable(label) && (await revokeOperator(service.database, request.actor!, label))
      service.operators.forgetAll()
      if (!isRevoked) return refuse(reply, 'token_unknown')
      return succeed(reply, 'Tokens revoked', { label })
    },
  )
}

/** A name that cannot be stored names nothing. */
function keyOf(request: FastifyRequest): string {
  const { apiKey } = request.params as { apiKey: string }
  return isStorable(apiKey) ? apiKey : ''
}
