import {
  Credential,
  CredentialList,
  IssueCredentialBody,
  IssuedCredential,
  KeyParams,
  RotateKeyBody,
  StoreParams,
} from '@florin/contract/operator.js'
import { IssuedToken, RevokedTokens, TokenBody, TokenParams } from '@florin/contract/operators.js'
import { isStorable } from '../../core/text.ts'
import { credentialFields, issueOperatorToken, revokeOperator } from '../../ops/credentials.ts'
import { listCredentials } from '../../sql/credentials.ts'
import { issueKey, revokeKey, rotateKey } from '../kit/apiKeys.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { refuse, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import type { StoreOperator } from './subjects.ts'

export function storeKeyRoutes(route: DeclareRoute<StoreOperator>): void {
  route('POST /operator/stores/:storeId/credentials', {
    operationId: 'issueCredential',
    summary: 'Create an API key',
    description: 'Creates an API key of a store. The secret is shown only in this response.',
    confirmed: true,
    params: StoreParams,
    body: IssueCredentialBody,
    data: IssuedCredential,
    handler: (call) => issueKey(call, { storeId: call.caller.store.storeId, mode: call.body.mode }),
  })

  route('GET /operator/stores/:storeId/credentials', {
    operationId: 'listCredentials',
    summary: 'List API keys',
    description: 'Lists the API keys of a store, without their secrets.',
    params: StoreParams,
    data: CredentialList,
    handler: async ({ service, caller, reply }) => {
      const credentials = await listCredentials(service.database, caller.store.storeId)
      return succeed(reply, 'Credentials', { credentials: credentials.map(credentialFields) })
    },
  })
}

export function keyRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('POST /operator/credentials/:apiKey/rotate', {
    operationId: 'rotateCredential',
    summary: 'Rotate the secret of an API key',
    description: 'Replaces the secret. The old one keeps working for `overlap_seconds`.',
    confirmed: true,
    params: KeyParams,
    body: RotateKeyBody,
    optionalBody: true,
    data: IssuedCredential,
    handler: rotateKey,
  })

  route('DELETE /operator/credentials/:apiKey', {
    operationId: 'revokeCredential',
    summary: 'Revoke an API key',
    confirmed: true,
    params: KeyParams,
    optionalBody: true,
    data: Credential,
    handler: revokeKey,
  })
}

export function tokenRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('POST /operator/tokens', {
    operationId: 'issueOperatorToken',
    summary: 'Create an operator token',
    description: 'Creates a bearer token for a program or another operator.',
    confirmed: true,
    body: TokenBody,
    data: IssuedToken,
    handler: async ({ service, caller, body: { label }, reply }) => {
      const token = await issueOperatorToken(service.database, caller.actor, label)
      return succeed(reply, 'Token issued', { label, token })
    },
  })

  route('DELETE /operator/tokens/:label', {
    operationId: 'revokeOperatorTokens',
    summary: 'Revoke operator tokens',
    description: 'Revokes all tokens with this name.',
    confirmed: true,
    params: TokenParams,
    optionalBody: true,
    data: RevokedTokens,
    handler: async ({ service, caller, params: { label }, reply }) => {
      const isRevoked =
        isStorable(label) && (await revokeOperator(service.database, caller.actor, label))
      service.operatorTokens.forgetAll()
      if (!isRevoked) return refuse(reply, 'token_unknown')
      return succeed(reply, 'Tokens revoked', { label })
    },
  })
}
