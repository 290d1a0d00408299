import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, KEEP_ALIVE } from './database.ts'

const RECONNECT_MS = 1_000
const HEARTBEAT_MS = 10_000

type ChannelOptions = {
  readonly url: string
  readonly name: string
  readonly onMessage: (message: string) => void
  /** Called after each connect. Earlier messages may have been missed. */
  readonly onConnect: () => void
  /** Interval and timeout of the query that detects a dead connection. */
  readonly heartbeatMs?: number
}

/**
 * Messages between the processes of one database, by LISTEN and NOTIFY. Send them after a commit, never
 * inside the transaction. Delivery is not guaranteed, so receivers must also poll.
 */
export function createChannel({
  url,
  name,
  onMessage,
  onConnect,
  heartbeatMs = HEARTBEAT_MS,
}: ChannelOptions) {
  let isOpen = false
  let halt = () => {}
  let loop: Promise<void> | null = null

  async function listen(halted: Promise<void>): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      ...KEEP_ALIVE,
      // Without timeouts, a server that accepts connections and never replies would block the loop.
      connectionTimeoutMillis: heartbeatMs,
      query_timeout: heartbeatMs,
    })
    client.on('notification', ({ payload }) => onMessage(payload ?? ''))
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    await Promise.race([halted, ended, keepListening(client).catch(() => {})])
    isOpen = false
    // Don't wait: `end` may never resolve on a connection that was never established.
    client.end().catch(() => {})
  }

  /** Throws when the connection no longer replies. */
  async function keepListening(client: pg.Client): Promise<void> {
    await client.connect()
    await client.query(`listen ${name}`)
    isOpen = true
    onConnect()
    for (;;) {
      await sleep(heartbeatMs, undefined, { ref: false })
      await client.query('select 1')
    }
  }

  return {
    isOpen: () => isOpen,
    start(): void {
      let isHalted = false
      const halted = new Promise<void>((resolve) => {
        halt = () => {
          isHalted = true
          resolve()
        }
      })
      loop = (async () => {
        while (!isHalted) {
          await listen(halted)
          await Promise.race([halted, sleep(RECONNECT_MS, undefined, { ref: false })])
        }
      })()
    },
    async stop(): Promise<void> {
      halt()
      await loop
    },
    /** Sends a message, which must be shorter than 8,000 bytes. */
    async notify(database: Database, message: string): Promise<void> {
      await database.query('select pg_notify($1, $2)', [name, message])
    },
  }
}
