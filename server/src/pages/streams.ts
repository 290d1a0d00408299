import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PaymentId } from '../core/ids.ts'
import { isFinal, type Status } from '../core/payment.ts'
import type { PaymentChanges } from '../ops/paymentChanges.ts'

/**
 * Interval of heartbeats. Proxies close connections that are idle for a minute, and notifications can get lost, so
 * each heartbeat also reads the status again. Streams are spread over the seconds of the interval.
 */
const HEARTBEAT_SECONDS = 15

type Stream = {
  readonly out: ServerResponse
  readonly refresh: () => void
  readonly finish: () => void
  /** The second of the interval in which its heartbeat is due. */
  readonly beatSecond: number
}

/**
 * Sends changes to open pages as server-sent events. All streams share one timer, so that a page costs little more
 * than its connection.
 */
export function eventStreams(
  app: FastifyInstance,
  { changes, isStopping }: { changes: PaymentChanges; isStopping: () => boolean },
) {
  const streams = new Set<Stream>()
  let opened = 0
  let second = 0
  const timer = setInterval(() => {
    second = (second + 1) % HEARTBEAT_SECONDS
    for (const { out, refresh, beatSecond } of streams) {
      if (beatSecond !== second) continue
      out.write(':\n\n')
      refresh()
    }
  }, 1_000)
  timer.unref()
  let isClosing = false
  // The server waits for open connections when it closes, and these never end by themselves.
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
        // A connection that is kept alive after the stream would delay a shutdown.
        connection: 'close',
        // Without it, nginx buffers the stream.
        'x-accel-buffering': 'no',
      })
      out.write('retry: 3000\n\n')
      let sent: Status | null = null
      const refresh = () => {
        if (isStopping()) return finish()
        // A failed read is retried at the next heartbeat.
        read().then(send, () => {})
      }
      function send(status: Status | null): void {
        if (out.writableEnded || status === null || status === sent) return
        sent = status
        out.write(`data: ${status}\n\n`)
        if (isFinal(status)) finish()
      }
      // Remove the stream first: it may close later, and must not be written to.
      function finish(): void {
        streams.delete(stream)
        unwatch()
        out.end()
      }
      const stream = { out, refresh, finish, beatSecond: opened++ % HEARTBEAT_SECONDS }
      streams.add(stream)
      const unwatch = changes.watch(paymentId, refresh)
      out.on('close', () => {
        finish()
        release()
      })
      // A broken connection also emits `close`.
      out.on('error', () => {})
      refresh()
    },
  }
}

/** Whether the response waits for an earlier one on the same connection, so that it can't be streamed yet. */
export const isQueued = (reply: FastifyReply) => reply.raw.socket === null
