import { answer, errors } from '@florin/contract/common.js'
import { listOf, string } from '@florin/contract/fields.js'
import {
  Credential,
  IssueCredentialBody,
  IssuedCredential,
  KeyParams,
  OperatorTokenBody,
  RotateKeyBody,
  StoreParams,
} from '@florin/contract/operator.js'
import type { FastifyInstance } from 'fastify'
import Type from 'typebox'
import type { Mode } from '../../core/ids.ts'
import { isStorable } from '../../core/text.ts'
import { credentialFields, issueOperatorToken, revokeOperator } from '../../ops/credentials.ts'
import type { Service } from '../../service.ts'
import { listCredentials } from '../../sql/credentials.ts'
import { issueKey, revokeKey, rotateKey } from '../kit/apiKeys.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { schemaProblems } from '../kit/validation.ts'
import { operatorCall } from './call.ts'
import { storeOf } from './stores.ts'

const tokenLabel = () => string('What you call the token.')

export async function operatorCredentialRoutes(app: FastifyInstance, service: Service) {
  app.post(
    '/operator/stores/:storeId/credentials',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'issueCredential',
        summary: 'Issue an API key with its secret',
        params: StoreParams,
        body: IssueCredentialBody,
        response: { 200: answer(IssuedCredential), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const { storeId } = store
      const ownerOf = () => ({ storeId, mode: (request.body as { mode: Mode }).mode })
      return issueKey(operatorCall(service, request, reply), ownerOf)
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
          200: answer(Type.Object({ credentials: listOf(Credential) })),
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
        body: RotateKeyBody,
        response: { 200: answer(IssuedCredential), ...errors(400, 413, 415) },
      },
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    (request, reply) => rotateKey(operatorCall(service, request, reply)),
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
        response: { 200: answer(Credential), ...errors(400, 413, 415) },
      },
    },
    (request, reply) => revokeKey(operatorCall(service, request, reply)),
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
          200: answer(Type.Object({ label: tokenLabel(), token: string('Shown this once.') })),
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
