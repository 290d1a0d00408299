import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseTime } from '../../core/calendar.ts'
import { SCOPES, type Scope } from '../../core/credentials.ts'
import type { Mode, StoreId } from '../../core/ids.ts'
import { decryptSecret } from '../../core/secrets.ts'
import { isStorable } from '../../core/text.ts'
import {
  credentialFields,
  type Issued,
  issueCredential,
  revokeCredential,
  rotateCredential,
} from '../../ops/credentials.ts'
import type { Service } from '../../service.ts'
import { findSecrets } from '../../sql/stores.ts'
import { refuse, refuseInvalid, succeed } from './replies.ts'
import { schemaProblems } from './validation.ts'

const ONE_DAY_SECONDS = 86_400
/** Past it a time has more digits than the wire's format. */
const LATEST = new Date('9999-12-31T23:59:59Z')

/** What the merchant is given, once. */
async function issuedView(service: Service, { credential, apiSecret }: Issued) {
  const [sealed] = await findSecrets(service.database, credential.storeId, credential.mode)
  return {
    ...credentialFields(credential),
    api_secret: apiSecret,
    webhook_secret: decryptSecret(sealed!, service.secretKey),
  }
}

type KeyFields = {
  readonly label?: string | null
  readonly scopes?: Scope[] | null
  readonly expires_at?: string | null
}

export async function issueKey(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  ownerOf: () => { storeId: StoreId; mode: Mode },
) {
  const problems = schemaProblems(request)
  const fields = request.body as KeyFields
  const wanted = problems.length === 0 ? (fields.expires_at ?? null) : null
  const expiresAt = wanted === null ? null : parseTime(wanted)
  if (
    wanted !== null &&
    (expiresAt === null || expiresAt <= service.clock.now() || expiresAt > LATEST)
  ) {
    problems.push({ field: 'expires_at', message: 'expires_at must be a time in the future' })
  }
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const issued = await issueCredential(service.database, request.actor!, {
    ...ownerOf(),
    label: fields.label ?? '',
    scopes: [...new Set(fields.scopes ?? SCOPES)],
    expiresAt,
  })
  return succeed(reply, 'Credential issued', await issuedView(service, issued))
}

export async function rotateKey(service: Service, request: FastifyRequest, reply: FastifyReply) {
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
  return succeed(reply, 'Credential rotated', await issuedView(service, issued))
}

export async function revokeKey(service: Service, request: FastifyRequest, reply: FastifyReply) {
  const apiKey = keyOf(request)
  const revoked = await revokeCredential(service.database, request.actor!, apiKey)
  service.credentials.forget(apiKey)
  if (revoked === null) return refuse(reply, 'credential_unknown')
  return succeed(reply, 'Credential revoked', credentialFields(revoked))
}

/** A name that cannot be stored names nothing. */
export function keyOf(request: FastifyRequest): string {
  const { apiKey } = request.params as { apiKey: string }
  return isStorable(apiKey) ? apiKey : ''
}
