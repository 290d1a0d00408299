import type { FastifyReply, FastifyRequest } from 'fastify'
import { MODES, type Mode } from '../../core/ids.ts'
import { personOf } from '../kit/authenticate.ts'
import { refuse } from '../kit/errorReply.ts'

/** For every route below `/store/:mode`: from here on a person asks as a merchant's key of that mode would. */
export async function readStoreMode(request: FastifyRequest, reply: FastifyReply) {
  const { mode } = request.params as { mode: Mode }
  if (!MODES.includes(mode)) return refuse(reply, 'path_unknown')
  const { store, scopes } = personOf(request)
  request.merchant = { store, mode, scopes }
}
