import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'

/**
 * Closes the connection of a request that is refused before its body has arrived, in a way that the client can read the response.
 *
 * The connection must not be used again: if a client cancels its body over HTTP/2, HAProxy sends the next request on the same
 * connection, which would be read as the rest of the body. And closing a connection with unread data resets it, so a client
 * or proxy that still sends could lose the response, and the proxy would respond with 502.
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

/** After the response, ends only the sending side. Node.js discards the rest of the body, until the request timeout. */
function discardBeforeClosing(raw: IncomingMessage): void {
  const { socket } = raw
  const close = socket.destroySoon
  socket.destroySoon = () => {
    if (raw.complete) return close.call(socket)
    socket.end()
    raw.once('end', () => close.call(socket))
  }
}
