import type { RotatedWebhookSecret } from '@florin/contract/webhooks.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import type { Mode, StoreId } from '../../core/ids.ts'
import type { Actor } from '../../ops/auditLog.ts'
import { rotateWebhookSecret } from '../../ops/secrets.ts'
import type { Service } from '../../service.ts'
import { type Reply, succeed } from './replies.ts'

/** Replaces the webhook secret of a store in one mode. For a day, events are signed with both secrets. */
export async function renewWebhookSecret(
  call: {
    readonly service: Service
    readonly caller: { readonly actor: Actor }
    readonly reply: Reply<RotatedWebhookSecret>
  },
  owner: { readonly storeId: StoreId; readonly mode: Mode },
): Promise<FastifyReply> {
  const { service, caller, reply } = call
  const rotated = await rotateWebhookSecret(
    service.database,
    caller.actor,
    owner,
    service.secretKey,
  )
  service.webhookSecrets.forget(`${owner.storeId} ${owner.mode}`)
  return succeed(reply, 'Webhook secret rotated', {
    mode: owner.mode,
    webhook_secret: rotated.secret,
    previous_secret_until: wireTime(rotated.previousUntil),
  })
}
