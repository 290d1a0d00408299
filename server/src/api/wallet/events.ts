import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { createEventStreams, notifyWhileSignedIn } from '../kit/http/streams.ts'
import { clientNetworkOf } from '../kit/http/throttle.ts'
import { refuse } from '../kit/replies.ts'

/** A stream ends after this time. The browser opens a new one, which checks the session again. */
const MAX_AGE_MS = 600_000

/**
 * Notifies the open pages of a wallet that its money moved. The event has no data of the wallet, and an idle stream
 * reads nothing: the page reads what it shows. Hidden from the reference, because apps use the API with a token, which an
 * `EventSource` can't send.
 */
export function eventRoutes(app: FastifyInstance, service: Service): void {
  const streams = createEventStreams(app, service)
  // Only GET: the response to HEAD would never end.
  const options = { schema: { hide: true }, exposeHeadRoute: false }
  app.get('/wallet/events', options, async (request, reply) => {
    const { walletId, token } = request.session!
    if (streams.isRefused()) return refuse(reply, 'busy')
    const release = service.heldRequests.take(
      'stream',
      clientNetworkOf(request),
      `wallet:${walletId}`,
    )
    // The page then polls.
    if (release === null) return refuse(reply, 'busy')
    const isSignedIn = async () => (await service.walletSessions.get(token)) !== null
    const endsAtMs = performance.now() + MAX_AGE_MS
    streams.open(reply, {
      watch: (wake) => service.changes.watchWallet(walletId, wake),
      onWake: (stream) => void notifyWhileSignedIn(stream, isSignedIn),
      onHeartbeat: ({ finish }) => {
        if (performance.now() > endsAtMs) finish()
      },
      release,
    })
    return reply
  })
}
