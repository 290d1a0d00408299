import type { ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'

/**
 * Interval of heartbeats. Many proxies close connections that are idle for a minute. Streams are spread over the seconds
 * of the interval.
 */
const HEARTBEAT_SECONDS = 15

type OpenStream = {
  readonly out: ServerResponse
  readonly onHeartbeat: () => void
  readonly finish: () => void
  /** The second of the interval in which its heartbeat is due. */
  readonly beatSecond: number
}

/** What a source of events can do with its stream. */
export type Stream = { readonly send: (data: string) => void; readonly finish: () => void }

type Source = {
  /** Calls `wake` after each change. Returns a function that stops it. */
  readonly watch: (wake: () => void) => () => void
  readonly onWake: (stream: Stream) => void
  /** Called at the start, and then regularly. */
  readonly onHeartbeat: (stream: Stream) => void
  /** Called when the stream ends. */
  readonly release: () => void
}

/** Notifies a page of a change, or ends its stream if the session has ended. */
export async function notifyWhileSignedIn(
  { send, finish }: Stream,
  isSignedIn: () => Promise<boolean>,
): Promise<void> {
  // If the session can't be read, end the stream too. The page opens a new one, which checks the session again.
  if (await isSignedIn().catch(() => false)) send('changed')
  else finish()
}

/**
 * Sends changes to open pages as server-sent events. All streams share one timer, so that a page costs little more
 * than its connection.
 */
export function createEventStreams(
  app: FastifyInstance,
  { isStopping }: { readonly isStopping: () => boolean },
) {
  const streams = new Set<OpenStream>()
  let opened = 0
  let second = 0
  const timer = setInterval(() => {
    second = (second + 1) % HEARTBEAT_SECONDS
    for (const { out, onHeartbeat, beatSecond } of streams) {
      if (beatSecond !== second) continue
      // An event, not a comment: scripts can't see comments, and notice a lost connection by missing heartbeats.
      out.write('event: heartbeat\ndata:\n\n')
      onHeartbeat()
    }
  }, 1_000)
  timer.unref()
  let isClosing = false
  // The server waits for open connections when it closes, and a stream may stay open indefinitely.
  app.addHook('preClose', async () => {
    isClosing = true
    clearInterval(timer)
    for (const { finish } of streams) finish()
  })

  return {
    /** Whether new streams are refused, because the server is stopping. */
    isRefused: () => isClosing || isStopping(),

    open(reply: FastifyReply, { watch, onWake, onHeartbeat, release }: Source): void {
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
      function send(data: string): void {
        if (!out.writableEnded) out.write(`data: ${data}\n\n`)
      }
      // Remove the stream first: it may close later, and must not be written to.
      function finish(): void {
        streams.delete(stream)
        unwatch()
        out.end()
      }
      const unlessStopping = (react: Source['onWake']) => () =>
        isStopping() ? finish() : react({ send, finish })
      const stream = {
        out,
        onHeartbeat: unlessStopping(onHeartbeat),
        finish,
        beatSecond: opened++ % HEARTBEAT_SECONDS,
      }
      streams.add(stream)
      const unwatch = watch(unlessStopping(onWake))
      out.on('close', () => {
        finish()
        release()
      })
      // A broken connection also emits `close`.
      out.on('error', () => {})
      stream.onHeartbeat()
    },
  }
}
