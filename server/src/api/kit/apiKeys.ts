import type {
  Credential,
  IssueCredentialBody,
  IssuedCredential,
  KeyParams,
  RotateKeyBody,
} from '@florin/contract/keys.js'
import type { FastifyReply } from 'fastify'
import { LATEST_TIME, parseTime } from '../../core/calendar.ts'
import type { Scope } from '../../core/credentials.ts'
import type { StoreAndMode } from '../../core/ids.ts'
import { decryptSecret } from '../../core/secrets.ts'
import { storableId } from '../../core/text.ts'
import {
  credentialFields,
  type IssuedKey,
  issueCredential,
  revokeCredential,
  rotateCredential,
} from '../../ops/credentials.ts'
import type { Service } from '../../service.ts'
import { findSecrets } from '../../sql/secrets.ts'
import type { ActingCaller } from './audiences.ts'
import { accountActor } from './authenticate.ts'
import { schemaProblems } from './http/validation.ts'
import { refuse, refuseField, refuseInvalid, succeed } from './replies.ts'
import type { Call } from './route.ts'

// Handlers for API keys. The routes of store owners and of operators share them.

const ONE_DAY_SECONDS = 86_400

/** The key with its secret, which is shown only once. */
async function issuedView(service: Service, { credential, apiSecret }: IssuedKey) {
  const [encrypted] = await findSecrets(service.database, credential.storeId, credential.mode)
  return {
    ...credentialFields(credential),
    api_secret: apiSecret,
    webhook_secret: decryptSecret(encrypted!, service.secretKey),
  }
}

type KeyFields = Omit<IssueCredentialBody, 'mode'>
type IssueCall = Call<ActingCaller, { body: KeyFields; data: IssuedCredential }>

export async function issueKey(
  { service, body, request, reply }: IssueCall,
  { storeId, mode }: StoreAndMode,
  { defaultScopes, isLimited }: { defaultScopes: readonly Scope[]; isLimited: boolean },
): Promise<FastifyReply> {
  const requestedExpiry = body.expires_at ?? null
  const expiresAt = requestedExpiry === null ? null : parseTime(requestedExpiry)
  const isValid = expiresAt !== null && expiresAt > service.clock.now() && expiresAt <= LATEST_TIME
  if (requestedExpiry !== null && !isValid) {
    const text = 'must be a time in the future, such as 2030-01-31 08:00:00'
    return refuseField(reply, 'expires_at', text)
  }
  const fields = {
    storeId,
    mode,
    label: body.label ?? '',
    scopes: [...new Set(body.scopes ?? defaultScopes)],
    expiresAt,
  }
  const issued = await issueCredential(service, accountActor(request), fields, { isLimited })
  if (issued === null) return refuse(reply, 'too_many_keys')
  return succeed(reply, 'API key created', await issuedView(service, issued))
}

type RotateCall = Call<
  ActingCaller,
  { params: KeyParams; body: RotateKeyBody; data: IssuedCredential }
>

export async function rotateKey({ service, params, body, request, reply }: RotateCall) {
  const problems = schemaProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const apiKey = storableId(params.apiKey)
  const issued = await rotateCredential(service.database, accountActor(request), {
    apiKey,
    overlapSeconds: body.overlap_seconds ?? ONE_DAY_SECONDS,
  })
  service.credentials.forget(apiKey)
  if (issued === null) return refuse(reply, 'credential_unknown')
  return succeed(reply, 'API key rotated', await issuedView(service, issued))
}

type RevokeCall = Call<ActingCaller, { params: KeyParams; data: Credential }>

export async function revokeKey({ service, params, request, reply }: RevokeCall) {
  const apiKey = storableId(params.apiKey)
  const revoked = await revokeCredential(service.database, accountActor(request), apiKey)
  service.credentials.forget(apiKey)
  if (revoked === null) return refuse(reply, 'credential_unknown')
  return succeed(reply, 'API key revoked', credentialFields(revoked))
}
