import {
  Credential,
  CredentialList,
  IssueCredentialBody,
  IssuedCredential,
  KeyParams,
  RotateKeyBody,
} from '@florin/contract/keys.js'
import { StoreParams } from '@florin/contract/operator.js'
import { SCOPES } from '@florin/contract/values.js'
import { credentialFields } from '../../ops/credentials.ts'
import { listCredentials } from '../../sql/credentials.ts'
import { issueKey, revokeKey, rotateKey } from '../kit/apiKeys.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import type { StoreOperator } from './subjects.ts'

export function storeKeyRoutes(route: DeclareRoute<StoreOperator>): void {
  route('POST /operator/stores/:storeId/credentials', {
    operationId: 'issueCredential',
    summary: 'Create an API key',
    permission: 'admin',
    description: 'Creates an API key of a store. The secret is shown only in this response.',
    needsConfirmation: true,
    params: StoreParams,
    body: IssueCredentialBody,
    data: IssuedCredential,
    handler: (call) => {
      const owner = { storeId: call.caller.store.storeId, mode: call.body.mode }
      return issueKey(call, owner, { defaultScopes: SCOPES, isLimited: false })
    },
  })

  route('GET /operator/stores/:storeId/credentials', {
    operationId: 'listCredentials',
    summary: 'List API keys',
    permission: 'read',
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
    permission: 'admin',
    description:
      'Replaces the secret. The old one keeps working for `overlap_seconds`; the one before it ends immediately.',
    needsConfirmation: true,
    params: KeyParams,
    body: RotateKeyBody,
    hasOptionalBody: true,
    data: IssuedCredential,
    handler: rotateKey,
  })

  route('DELETE /operator/credentials/:apiKey', {
    operationId: 'revokeCredential',
    summary: 'Revoke an API key',
    permission: 'admin',
    needsConfirmation: true,
    params: KeyParams,
    hasOptionalBody: true,
    data: Credential,
    handler: revokeKey,
  })
}
