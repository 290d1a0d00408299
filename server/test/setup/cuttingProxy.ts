import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'

/**
 * What happens to the next COMMIT:
 * - reply: it succeeds, but the connection breaks before the reply arrives
 * - torn: the same, but a part of the reply arrives
 * - panic: the same, but the reply is an error that the server dies of
 * - down: the same as reply, and all connections break and new ones are refused, until `accept`
 * - sending: the connection breaks as soon as it is sent
 * - late: the connection breaks, and the COMMIT arrives a fifth of a second later
 * - never: the connection breaks before it is sent
 * - pass: nothing happens to it
 */
export type Cut = 'reply' | 'torn' | 'panic' | 'down' | 'sending' | 'late' | 'never' | 'pass'

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>

const COMMIT = Buffer.from('commit\0')
const COMMIT_DELAY_MS = 200
/** The length of the CommandComplete message of a COMMIT, without the ReadyForQuery message after it. */
const COMMAND_COMPLETE_BYTES = 12
const PANIC = errorResponse({
  S: 'PANIC',
  C: '58030',
  M: 'could not fsync file: Input/output error',
})

function errorResponse(fields: Record<string, string>): Buffer {
  const texts = Object.entries(fields).map(([type, text]) => `${type}${text}\0`)
  const body = Buffer.from(`${texts.join('')}\0`)
  const head = Buffer.from('E....')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** A proxy between a service and its PostgreSQL that breaks connections on request. */
export async function startCuttingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const cuts: Cut[] = []
  let cutCount = 0
  let connectionCount = 0
  let isMute = false
  let server: Server

  function forward(client: Socket): void {
    connectionCount += 1
    const upstream = dial(Number(target.port), target.hostname)
    let isCut = false
    let cut: Cut | undefined
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => {
      if (isMute || isCut) return
      cut = chunk.includes(COMMIT) ? cuts.shift() : undefined
      if (cut !== undefined) cutCount += 1
      if (cut === undefined || cut === 'pass') return void upstream.write(chunk)
      isCut = true
      if (cut === 'never') upstream.destroy()
      if (cut === 'sending') upstream.end(chunk)
      else if (cut === 'late') setTimeout(() => upstream.end(chunk), COMMIT_DELAY_MS)
      else if (cut !== 'never') return void upstream.write(chunk)
      client.destroy()
    })
    upstream.on('data', (chunk) => {
      if (cut === 'down') void close()
      else if (cut === 'torn') client.end(chunk.subarray(0, COMMAND_COMPLETE_BYTES))
      else if (cut === 'panic') client.end(PANIC)
      else if (isCut) client.destroy()
      else if (!isMute) client.write(chunk)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => {
      if (!isCut) upstream.destroy()
    })
  }

  async function listen(port: number): Promise<number> {
    server = createServer(forward)
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  async function close(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
  }

  const port = await listen(0)
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)

  return {
    url: url.href,
    /** Sets what happens to the next commits, in order. */
    cutNext: (...next: Cut[]) => void cuts.push(...next),
    /** How many commits the proxy has handled as set by `cutNext`, and how many are left. */
    count: () => ({ cut: cutCount, left: cuts.length }),
    /** The number of connections so far. */
    connections: () => connectionCount,
    /** Breaks all connections and refuses new ones, like a server that is down. */
    refuse: close,
    /** Accepts connections again, on the same port. */
    accept: async () => void (await listen(port)),
    breakAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    /** Accepts connections and never replies, like a machine that hangs. */
    mute: (value: boolean) => {
      isMute = value
    },
    close,
  }
}
