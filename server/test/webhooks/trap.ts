import { createServer, type Socket } from 'node:net'

/**
 * A listener that counts connections, to show which addresses are reached. It listens on every address of
 * this machine.
 */
export async function startTrap() {
  let caught = 0
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    caught += 1
    sockets.add(socket)
    socket.on('error', () => {})
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\ncaught')
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
    caught: () => caught,
    close: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type Trap = Awaited<ReturnType<typeof startTrap>>
