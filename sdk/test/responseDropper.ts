import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy that drops responses: the service handles the request, but the client gets no response. */
export async function startResponseDropper(baseUrl: string) {
  const { port, hostname } = new URL(baseUrl)
  const sockets = new Set<Socket>()
  let remainingDrops = 0
  let droppedCount = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => upstream.write(chunk))
    client.on('close', () => upstream.destroy())
    upstream.on('close', () => client.destroy())
    upstream.on('data', (chunk) => {
      if (remainingDrops === 0) return void client.write(chunk)
      remainingDrops -= 1
      droppedCount += 1
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropNext: (count: number) => {
      remainingDrops = count
    },
    dropCount: () => droppedCount,
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
