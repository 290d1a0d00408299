import type { RotatedWebhookSecret } from '@florin/contract/webhooks.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import type { StoreAndMode } from '../../core/ids.ts'
import { rotateWebhookSecret } from '../../ops/secrets.ts'
import type { ActingCaller } from './audiences.ts'
import { accountActor } from './authenticate.ts'
import { succeed } from './replies.ts'
import type { Call } from './route.ts'

/** Replaces the webhook secret of a store in one mode. For a day, events are signed with both secrets. */
export async function rotateStoreSecret(
  { service, request, reply }: Call<ActingCaller, { data: RotatedWebhookSecret }>,
  owner: StoreAndMode,
): Promise<FastifyReply> {
  const { database, secretKey } = service
  const rotated = await rotateWebhookSecret(database, accountActor(request), owner, secretKey)
  service.webhookSecrets.forget(`${owner.storeId} ${owner.mode}`)
  return succeed(reply, 'Webhook secret rotated', {
    mode: owner.mode,
    webhook_secret: rotated.secret,
    previous_secret_until: wireTime(rotated.previousUntil),
  })
}
