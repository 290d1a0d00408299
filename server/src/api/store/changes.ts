import type { FastifyInstance } from 'fastify'
import type { Service } from '../../service.ts'
import { personCookie } from '../kit/account/sessionCookie.ts'
import { createEventStreams, notifyWhileSignedIn, type Stream } from '../kit/http/streams.ts'
import { clientNetworkOf } from '../kit/http/throttle.ts'
import { refuse } from '../kit/replies.ts'

/** The minimum time between two events of a stream, so that the pages of a busy store don't reload all the time. */
const MIN_INTERVAL_MS = 2_000
/** A stream ends after this time. The browser opens a new one, which checks the session again. */
const MAX_AGE_MS = 600_000

/**
 * Notifies open pages that payments of the store changed. The pages then read what they show, so the stream contains no
 * data of payments.
 */
export function changeRoutes(app: FastifyInstance, service: Service): void {
  const streams = createEventStreams(app, service)
  // Only GET: the response to HEAD would never end.
  const options = { schema: { hide: true }, exposeHeadRoute: false }
  app.get('/store/changes', options, async (request, reply) => {
    const { storeId } = request.person!.store
    if (streams.isRefused()) return refuse(reply, 'busy')
    const release = service.heldRequests.take(
      'stream',
      clientNetworkOf(request),
      `store ${storeId}`,
    )
    if (release === null) return refuse(reply, 'busy')
    const token = personCookie.tokenOf(request)!
    const isSignedIn = async () => (await service.personSessions.get(token)) !== null
    const endsAtMs = performance.now() + MAX_AGE_MS
    let isDue = false
    let timer: NodeJS.Timeout | null = null
    const announce = (stream: Stream) => {
      isDue = timer !== null
      if (isDue) return
      void notifyWhileSignedIn(stream, isSignedIn)
      timer = setTimeout(() => {
        timer = null
        if (isDue) announce(stream)
      }, MIN_INTERVAL_MS).unref()
    }
    streams.open(reply, {
      watch: (wake) => service.changes.watchStore(storeId, wake),
      onWake: announce,
      onHeartbeat: ({ finish }) => {
        if (performance.now() > endsAtMs) finish()
      },
      release: () => {
        if (timer !== null) clearTimeout(timer)
        release()
      },
    })
    return reply
  })
}
