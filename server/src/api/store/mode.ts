import type { FastifyReply, FastifyRequest } from 'fastify'
import { MODES, type Mode } from '../../core/ids.ts'
import type { Service } from '../../service.ts'
import { type Merchant, merchantOf, personOf } from '../kit/authenticate.ts'
import { refuse } from '../kit/replies.ts'
import type { Call } from '../kit/route.ts'

/** For routes under `/store/:mode`: the person acts for the store in that mode, like an API key of that mode. */
export async function readStoreMode(request: FastifyRequest, reply: FastifyReply) {
  const { mode } = request.params as { mode: Mode }
  if (!MODES.includes(mode)) return refuse(reply, 'path_unknown')
  const { store, scopes, actor } = personOf(request)
  request.merchant = { store, mode, scopes, actor }
}

/** The call of a route under `/store/:mode`, for handlers that merchants and people share. */
export function merchantCall<
  Types extends { params?: unknown; query?: unknown; body?: unknown; data?: unknown },
>(service: Service, request: FastifyRequest, reply: FastifyReply): Call<Merchant, Types> {
  return {
    service,
    caller: merchantOf(request),
    params: request.params as Types['params'],
    query: request.query as Types['query'],
    body: request.body as Types['body'],
    request,
    reply,
  }
}
