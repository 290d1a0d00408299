import { answer, errors } from '@florin/contract/common.js'
import { StoreParams } from '@florin/contract/operator.js'
import {
  RotatedWebhookSecret,
  RotateWebhookSecretBody,
  WebhookQueue,
} from '@florin/contract/webhooks.js'
import type { FastifyInstance } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import type { Mode } from '../../core/ids.ts'
import type { Service } from '../../service.ts'
import { readFailingHosts, readQueue } from '../../sql/deliveries.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { schemaProblems } from '../kit/validation.ts'
import { renewWebhookSecret } from '../kit/webhookSecret.ts'
import { storeOf } from './stores.ts'

const MAX_HOSTS = 100

export async function operatorWebhookRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.get(
    '/operator/webhooks',
    {
      schema: {
        ...docs,
        operationId: 'getWebhookQueue',
        summary: 'What waits to be delivered, since when, and which receivers fail',
        response: { 200: answer(WebhookQueue), ...errors() },
      },
    },
    async (_request, reply) => {
      const [queue, hosts] = await Promise.all([
        readQueue(service.database),
        readFailingHosts(service.database, MAX_HOSTS),
      ])
      return succeed(reply, 'Webhook queue', {
        queue: queue.map(({ oldestDueAt, ...rest }) => ({
          ...rest,
          oldest_due_at: oldestDueAt && wireTime(oldestDueAt),
        })),
        failing_hosts: hosts.map(({ lastError, ...rest }) => ({ ...rest, last_error: lastError })),
      })
    },
  )

  app.post(
    '/operator/stores/:storeId/webhook-secret/rotate',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'rotateWebhookSecret',
        summary: 'Give a store a new webhook secret; for a day both sign',
        params: StoreParams,
        body: RotateWebhookSecretBody,
        response: { 200: answer(RotatedWebhookSecret), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { mode } = request.body as { mode: Mode }
      const caller = { actor: request.actor! }
      return renewWebhookSecret({ service, caller, reply }, { storeId: store.storeId, mode })
    },
  )
}
