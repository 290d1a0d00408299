import { type AddressInfo, createServer, connect as dial, type Server, type Socket } from 'node:net'

/**
 * What becomes of the next COMMIT:
 * - answer: it is carried out, but the connection breaks before the answer is through
 * - torn: the same, but for the first word of the answer
 * - at_once: it is on its way when the connection breaks
 * - late: the connection breaks, and the COMMIT arrives half a second after that
 * - never: the connection breaks before it is sent
 * - pass: nothing happens to it
 */
export type Cut = 'answer' | 'torn' | 'at_once' | 'late' | 'never' | 'pass'

export type CuttingProxy = Awaited<ReturnType<typeof startCuttingProxy>>

const COMMIT = Buffer.from('commit\0')
const LATE_MS = 500
/** `COMMIT`, before the word that the server is ready for more. */
const FIRST_WORD_BYTES = 12

/** Stands between a service and its PostgreSQL and cuts connections when it is told to. */
export async function startCuttingProxy(databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const cuts: Cut[] = []
  let cutCount = 0
  let callCount = 0
  let isMute = false
  let server: Server

  function accept(client: Socket): void {
    callCount += 1
    const upstream = dial(Number(target.port), target.hostname)
    let isCut = false
    let isTorn = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('data', (chunk) => {
      if (isMute || isCut) return
      const cut = chunk.includes(COMMIT) ? cuts.shift() : undefined
      if (cut !== undefined) cutCount += 1
      if (cut === undefined || cut === 'pass') return void upstream.write(chunk)
      isCut = true
      if (cut === 'never') upstream.destroy()
      isTorn = cut === 'torn'
      if (cut === 'answer' || isTorn) return void upstream.write(chunk)
      if (cut === 'at_once') upstream.end(chunk)
      if (cut === 'late') setTimeout(() => upstream.end(chunk), LATE_MS)
      client.destroy()
    })
    upstream.on('data', (chunk) => {
      if (isTorn) client.end(chunk.subarray(0, FIRST_WORD_BYTES))
      else if (isCut) client.destroy()
      else if (!isMute) client.write(chunk)
    })
    upstream.on('close', () => client.destroy())
    client.on('close', () => {
      if (!isCut) upstream.destroy()
    })
  }

  async function listen(port: number): Promise<number> {
    server = createServer(accept)
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
    /** The next commits are cut like this, one after the other. */
    cutNext: (...next: Cut[]) => void cuts.push(...next),
    /** How many had their turn so far, and how many are still to have it. */
    count: () => ({ cut: cutCount, left: cuts.length }),
    /** How many connections were asked for. */
    calls: () => callCount,
    /** Breaks every connection and refuses new ones, as a server that is down. */
    refuse: close,
    accept: async () => void (await listen(port)),
    breakAll: () => {
      for (const socket of sockets) socket.destroy()
    },
    /** Takes connections and says nothing, as a machine that hangs. */
    mute: (value: boolean) => {
      isMute = value
    },
    close,
  }
}
