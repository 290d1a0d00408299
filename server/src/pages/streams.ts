import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PaymentId } from '../core/ids.ts'
import { isFinal, type Status } from '../core/payment.ts'
import type { PaymentChanges } from '../ops/paymentChanges.ts'

/**
 * Proxies cut what is silent for a minute, and news may be lost: so often each stream is given a sign of
 * life and its payment looked at again. A part of them every second, not all of them at once.
 */
const BEAT_SECONDS = 15

type Stream = {
  readonly out: ServerResponse
  readonly look: () => void
  readonly finish: () => void
  /** In which second of the beat. */
  readonly turn: number
}

/**
 * Open pages that are told of changes as server-sent events. One timer serves them all, and a page
 * costs little more than its connection.
 */
export function eventStreams(
  app: FastifyInstance,
  { changes, isStopping }: { changes: PaymentChanges; isStopping: () => boolean },
) {
  const streams = new Set<Stream>()
  let opened = 0
  let second = 0
  const timer = setInterval(() => {
    second = (second + 1) % BEAT_SECONDS
    for (const { out, look, turn } of streams) {
      if (turn !== second) continue
      out.write(':\n\n')
      look()
    }
  }, 1_000)
  timer.unref()
  let isClosing = false
  // A server that closes waits for its connections, and these would never end by themselves.
  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(timer)
    for (const { finish } of streams) finish()
  })

  return {
    isClosing: () => isClosing,
    /**
     * Sends the status that `read` returns, now and after each change, until the status is final. Calls
     * `release` when the stream ends.
     */
    open(
      reply: FastifyReply,
      paymentId: PaymentId,
      { read, release }: { read: () => Promise<Status | null>; release: () => void },
    ): void {
      reply.hijack()
      const out = reply.raw
      // A connection that is already closed emits no `close` event.
      if (out.destroyed) {
        release()
        return
      }
      out.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // Kept alive after the stream's end, it would hold up a server that stops.
        connection: 'close',
        // For nginx, which otherwise gathers a stream until there is enough of it.
        'x-accel-buffering': 'no',
      })
      out.write('retry: 3000\n\n')
      let told: Status | null = null
      const look = () => {
        if (isStopping()) return finish()
        // A read that fails is tried again at the next beat.
        read().then(tell, () => {})
      }
      function tell(status: Status | null): void {
        if (out.writableEnded || status === null || status === told) return
        told = status
        out.write(`data: ${status}\n\n`)
        if (isFinal(status)) finish()
      }
      // Forgotten at once: what is ended may take its time to close, and must not be written to.
      function finish(): void {
        streams.delete(stream)
        unwatch()
        out.end()
      }
      const stream = { out, look, finish, turn: opened++ % BEAT_SECONDS }
      streams.add(stream)
      const unwatch = changes.watch(paymentId, look)
      out.on('close', () => {
        finish()
        release()
      })
      // A line that breaks also closes.
      out.on('error', () => {})
      look()
    },
  }
}

/** Behind another answer on the same connection, where it would wait for that one's end, unheard. */
export const isQueued = (reply: FastifyReply) => reply.raw.socket === null
