import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** As long as Node.js waits for a request, also while the service stops. */
const DISCARD_TIMEOUT_MS = 30_000

/**
 * Closes the connection of a request that is refused before its body has arrived, so that the client can still read the response.
 *
 * The connection must not be reused: if a client cancels its body over HTTP/2, HAProxy sends the next request on the same
 * connection, and Florin would read it as the rest of the body. Closing a connection with unread data resets it: a client or
 * proxy that is still sending could lose the response, and the proxy would respond with 502. So the rest is read and discarded.
 */
export function closeUnfinishedRequests(app: FastifyInstance): void {
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!isUnfinished(raw)) return done(null, payload)
    // The rest of a short body is usually in the chunk that is being parsed.
    setImmediate(() => {
      if (isUnfinished(raw)) {
        reply.header('connection', 'close')
        discardBeforeClosing(raw)
      }
      done(null, payload)
    })
  })
}

const isUnfinished = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** After the response, ends only the sending side. Node.js discards the rest of the body, until the timeout. */
function discardBeforeClosing(raw: IncomingMessage): void {
  const { socket } = raw
  const close = socket.destroySoon
  socket.destroySoon = () => {
    if (raw.complete) return close.call(socket)
    socket.end()
    const timer = setTimeout(() => socket.destroy(), DISCARD_TIMEOUT_MS).unref()
    socket.once('close', () => clearTimeout(timer))
    raw.once('end', () => close.call(socket))
  }
}
