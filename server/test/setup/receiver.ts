import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type ReceivedRequest = {
  readonly atMs: number
  readonly path: string
  readonly headers: Record<string, string>
  readonly body: string
}

type Respond = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A merchant's server: stores requests and responds as configured. */
export async function startReceiver(
  initial: Respond = (_request, response) => response.end('ok'),
  address = '127.0.0.1',
) {
  const received: ReceivedRequest[] = []
  const sockets = new Set<Socket>()
  let respond = initial
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const headers = request.headers as Record<string, string>
      received.push({ atMs: Date.now(), path: request.url ?? '', headers, body })
      respond(request, response, body)
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, address, resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received,
    respondWith: (next: Respond) => {
      respond = next
    },
    async until(count: number, timeoutMs = 20_000): Promise<ReceivedRequest[]> {
      const deadlineMs = Date.now() + timeoutMs
      while (received.length < count) {
        if (Date.now() > deadlineMs)
          throw new Error(`${received.length} of ${count} arrived in time`)
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return received
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>
