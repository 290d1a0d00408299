import { createServer, type Socket } from 'node:net'

/**
 * A listener that counts connections, to show which addresses are reached. It listens on every address of
 * this machine.
 */
export async function startCountingListener() {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nreached')
  })
  const listen = (host: string) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(0, host, resolve)
    })
  let hasIpv6 = true
  await listen('::').catch(() => {
    hasIpv6 = false
    return listen('0.0.0.0')
  })
  return {
    port: (server.address() as { port: number }).port,
    hasIpv6,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type CountingListener = Awaited<ReturnType<typeof startCountingListener>>
