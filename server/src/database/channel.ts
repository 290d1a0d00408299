import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Database, KEEP_ALIVE } from './database.ts'

const TRY_AGAIN_MS = 1_000
// A connection that has gone silent is noticed by asking.
const ASK_EVERY_MS = 10_000

export type ChannelParts = {
  readonly url: string
  readonly name: string
  readonly onWords: (words: string) => void
  /** Whatever was said before this moment may have been missed. */
  readonly onGap: () => void
  /** So often it is tried whether the connection still answers, and so long an answer may take. */
  readonly askEveryMs?: number
}

/**
 * Words between the processes on one database, said after a commit and never inside it. Who does not
 * listen at that moment misses them, so they may only save time: whoever waits looks again by himself.
 */
export function createChannel({
  url,
  name,
  onWords,
  onGap,
  askEveryMs = ASK_EVERY_MS,
}: ChannelParts) {
  let isOpen = false
  let halt = () => {}
  let loop: Promise<void> | null = null

  async function listen(halted: Promise<void>): Promise<void> {
    const client = new pg.Client({
      connectionString: url,
      application_name: name,
      ...KEEP_ALIVE,
      // One that takes the call and says nothing would be listened to for ever.
      connectionTimeoutMillis: askEveryMs,
      query_timeout: askEveryMs,
    })
    client.on('notification', ({ payload }) => onWords(payload ?? ''))
    const ended = new Promise<void>((resolve) => {
      client.on('error', () => resolve())
      client.on('end', () => resolve())
    })
    // A connection that failed is the same as one that was lost: it is tried again.
    await Promise.race([halted, ended, attend(client).catch(() => {})])
    isOpen = false
    // It may never end if it has not begun, so nobody waits for that.
    client.end().catch(() => {})
  }

  /** Ends when the connection gives no answer any more. */
  async function attend(client: pg.Client): Promise<void> {
    await client.connect()
    await client.query(`listen ${name}`)
    isOpen = true
    onGap()
    for (;;) {
      await sleep(askEveryMs, undefined, { ref: false })
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
          await Promise.race([halted, sleep(TRY_AGAIN_MS, undefined, { ref: false })])
        }
      })()
    },
    async stop(): Promise<void> {
      halt()
      await loop
    },
    /** At most 8,000 bytes. */
    async say(database: Database, words: string): Promise<void> {
      await database.query('select pg_notify($1, $2)', [name, words])
    },
  }
}
