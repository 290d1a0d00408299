import { createServer, type IncomingMessage, request as send } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * What happens to a request. `cut`: the service handles it, but the client gets no response. `hang`: the same, and the
 * connection stays open. `half`: the client gets half of the response. A `Reply` is sent instead of forwarding the request.
 */
export type Fault = 'cut' | 'hang' | 'half' | Reply
type Reply = {
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: string
}

type RecordedRequest = {
  readonly atMs: number
  readonly method: string
  readonly path: string
  readonly key: string | undefined
  readonly body: string
}

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>

/** A proxy that records requests, and applies to them the faults that `next` was given, in order. */
export async function startFaultyProxy(baseUrl: string) {
  const sockets = new Set<Socket>()
  let faults: Fault[] = []
  let requests: RecordedRequest[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const body = Buffer.concat(chunks)
      const { method = '', url: path = '', headers } = request
      const key = headers['idempotency-key'] as string | undefined
      requests.push({ atMs: Date.now(), method, path, key, body: body.toString() })
      const fault = faults.shift()
      if (typeof fault === 'object') {
        const refusal = JSON.stringify({ status: fault.status, message: 'no' })
        const { status, headers: faultHeaders = {}, body: text = refusal } = fault
        return void response.writeHead(status, faultHeaders).end(text)
      }
      const upstream = await forward(`${baseUrl}${path}`, request, body)
      if (upstream === null) return void request.socket.destroy()
      if (fault === 'hang') return
      if (fault === 'cut') return void request.socket.destroy()
      response.writeHead(upstream.status, upstream.headers)
      if (fault !== 'half') return void response.end(upstream.body)
      const half = upstream.body.subarray(0, upstream.body.length / 2)
      response.write(half, () => request.socket.destroy())
    })()
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Clears the recorded requests, and sets the faults of the following ones. */
    next(...nextFaults: Fault[]): void {
      faults = nextFaults
      requests = []
    },
    requests: () => requests,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

type UpstreamResponse = { status: number; headers: IncomingMessage['headers']; body: Buffer }

/** Null without a response. */
function forward(url: string, { method, headers, socket }: IncomingMessage, body: Buffer) {
  return new Promise<UpstreamResponse | null>((resolve) => {
    const out = send(url, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: Buffer.concat(chunks) })
      })
    })
    out.on('error', () => resolve(null))
    // Abort the forwarded request when the client disconnects, so that the service ends a long poll.
    const abort = () => out.destroy()
    socket.once('close', abort)
    out.once('close', () => socket.off('close', abort))
    out.end(body)
  })
}
