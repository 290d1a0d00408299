import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Requests of one connection that have arrived and have no response yet. */
const MAX_OUTSTANDING_REQUESTS = 100

/**
 * Handles the requests of a connection one after another. Node.js would handle all pipelined requests of a chunk at
 * once, which blocks the event loop, and hold their responses until the client reads them. Closes a connection with too
 * many requests, and one whose client reads nothing of a response for `sendTimeoutMs`.
 */
export function limitConnections(app: FastifyInstance, sendTimeoutMs: number): void {
  const { server } = app
  const queues = new WeakMap<Socket, (() => void)[]>()

  // Fastify's own listener would handle each request immediately.
  server.removeAllListeners('request')
  server.on('request', (request, response) => {
    const { socket } = request
    // The parser continues to the end of its chunk, even if the connection is closed or ended meanwhile.
    if (!socket.writable) return
    const queue = queues.get(socket) ?? []
    queues.set(socket, queue)
    if (queue.length === MAX_OUTSTANDING_REQUESTS) return void socket.destroy()

    const handle = () => app.routing(request, response)
    queue.push(handle)
    response.once('close', () => {
      queue.shift()
      const [next] = queue
      if (next === undefined) return
      // Other connections take their turn in between.
      setImmediate(() => {
        if (socket.writable) next()
      })
    })
    if (queue.length === 1) handle()
  })

  // Node.js restarts this timeout with each read and write, and if the client has read some of a large write.
  server.timeout = sendTimeoutMs
  server.on('timeout', (socket) => {
    // A request that is being handled, such as a long poll, may send nothing for longer.
    const isHandling = (queues.get(socket)?.length ?? 0) > 0
    if (!isHandling || socket.writableLength > 0) socket.destroy()
  })
}
