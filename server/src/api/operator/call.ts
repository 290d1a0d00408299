import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Service } from '../../service.ts'
import { OPERATOR } from '../kit/audiences.ts'

/** The call of a route that is not declared with the route helper. */
export const operatorCall = (service: Service, request: FastifyRequest, reply: FastifyReply) => ({
  service,
  caller: OPERATOR.callerOf(request),
  params: request.params as never,
  query: request.query as never,
  body: request.body as never,
  request,
  reply,
})
