import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { PaymentId } from '../../core/ids.ts'
import type { PaymentChanges } from '../../ops/paymentChanges.ts'

/** Proxies cut what is silent for a minute; this also looks again, should news have been lost. */
const BEAT_MS = 15_000
/** More would rather ask now and then, as the script does where it gets no stream. */
const MAX_STREAMS = 20_000

type Stream = { readonly out: ServerResponse; readonly look: () => void }

/**
 * Open pages that are told of changes as server-sent events. One timer serves them all, and a page
 * costs little more than its connection.
 */
export function eventStreams(
  app: FastifyInstance,
  { changes, isStopping }: { changes: PaymentChanges; isStopping: () => boolean },
) {
  const streams = new Set<Stream>()
  const timer = setInterval(() => {
    for (const { out, look } of streams) {
      out.write(':\n\n')
      look()
    }
  }, BEAT_MS)
  timer.unref()
  // A server that closes waits for its connections, and these would never end by themselves.
  app.addHook('preClose', async () => {
    clearInterval(timer)
    for (const { out } of streams) out.end()
  })

  return {
    isFull: () => streams.size >= MAX_STREAMS,
    /** Tells `read()` now and whenever it may have changed, until it says that nothing comes after. */
    open(
      reply: FastifyReply,
      paymentId: PaymentId,
      read: () => Promise<{ readonly status: string; readonly isLast: boolean }>,
    ): void {
      reply.hijack()
      const out = reply.raw
      out.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // For nginx, which otherwise gathers a stream until there is enough of it.
        'x-accel-buffering': 'no',
      })
      out.write('retry: 3000\n\n')
      let told = ''
      const look = () => {
        if (isStopping()) return void out.end()
        // A read that fails is tried again at the next beat.
        read().then(tell, () => {})
      }
      function tell({ status, isLast }: { status: string; isLast: boolean }): void {
        if (out.writableEnded || status === told) return
        told = status
        out.write(`data: ${status}\n\n`)
        if (isLast) out.end()
      }
      const stream = { out, look }
      streams.add(stream)
      const unwatch = changes.watch(paymentId, look)
      out.on('close', () => {
        streams.delete(stream)
        unwatch()
      })
      look()
    },
  }
}
