import type { FastifyRequest } from 'fastify'
import type { Actor } from '../../../ops/auditLog.ts'

/** The actor of a request, with the account of its session. */
export const accountActor = (request: FastifyRequest): Actor => ({
  ...request.actor!,
  accountId: request.person?.personId ?? request.operator?.operatorId ?? null,
})
