import { StoreParams } from '@florin/contract/operator.js'
import {
  RotatedWebhookSecret,
  RotateWebhookSecretBody,
  WebhookQueue,
} from '@florin/contract/webhooks.js'
import { wireTime } from '../../core/calendar.ts'
import { readFailingHosts, readQueue } from '../../sql/deliveryQueue.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'
import { rotateStoreSecret } from '../kit/webhookSecret.ts'
import type { StoreOperator } from './subjects.ts'

const MAX_HOSTS = 100

export function queueRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('GET /operator/webhooks', {
    operationId: 'getWebhookQueue',
    summary: 'Get the webhook queue',
    permission: 'read',
    description:
      'Returns how many events wait for delivery, when the first of them is due, and which hosts fail.',
    data: WebhookQueue,
    handler: async ({ service, reply }) => {
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
  })
}

export function storeWebhookRoutes(route: DeclareRoute<StoreOperator>): void {
  route('POST /operator/stores/:storeId/webhook-secret/rotate', {
    operationId: 'rotateWebhookSecret',
    summary: 'Rotate a webhook secret',
    permission: 'admin',
    needsConfirmation: true,
    description:
      'Replaces the webhook secret of a store. For a day, events are signed with both secrets.',
    params: StoreParams,
    body: RotateWebhookSecretBody,
    data: RotatedWebhookSecret,
    handler: (call) =>
      rotateStoreSecret(call, { storeId: call.caller.store.storeId, mode: call.body.mode }),
  })
}
