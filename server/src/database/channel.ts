import pg from 'pg'
import type { Database } from './database.ts'

const TRY_AGAIN_MS = 1_000
// A connection that has gone silent is noticed by asking.
const ASK_EVERY_MS = 10_000

export type ChannelParts = {
  readonly url: string
  readonly name: string
  readonly onWords: (words: string) => void
  /** Whatever was said before this moment may have been missed. */
  readonly onGap: () => void
}

/**
 * Words between the processes on one database, said after a commit and never inside it. Who does not
 * listen at that moment misses them, so they may only save time: whoever waits looks again by himself.
 */
export function createChannel({ url, name, onWords, onGap }: ChannelParts) {
  let stopped = true
  let isOpen = false
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined

  async function listen(): Promise<void> {
    const own = new pg.Client({ connectionString: url, keepAlive: true, application_name: name })
    client = own
    own.on('notification', ({ payload }) => onWords(payload ?? ''))
    const ended = new Promise<void>((resolve) => {
      own.on('error', () => resolve())
      own.on('end', () => resolve())
    })
    try {
      await own.connect()
      await own.query(`listen ${name}`)
      isOpen = true
      onGap()
      await Promise.race([ended, asking(own)])
    } catch {
      // The same as a connection that was lost later: it is tried again.
    } finally {
      isOpen = false
      own.end().catch(() => {})
    }
  }

  /** Ends when the connection gives no answer any more. */
  async function asking(own: pg.Client): Promise<void> {
    for (;;) {
      await pause(ASK_EVERY_MS)
      if (stopped) return
      const late = setTimeout(() => own.end().catch(() => {}), ASK_EVERY_MS)
      await own.query('select 1').finally(() => clearTimeout(late))
    }
  }

  let wake = () => {}
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      wake = resolve
      timer = setTimeout(resolve, ms).unref()
    })

  let loop = Promise.resolve()
  return {
    isOpen: () => isOpen,
    start(): void {
      stopped = false
      loop = (async () => {
        while (!stopped) {
          await listen()
          if (!stopped) await pause(TRY_AGAIN_MS)
        }
      })()
    },
    async stop(): Promise<void> {
      stopped = true
      clearTimeout(timer)
      wake()
      await client?.end().catch(() => {})
      await loop
    },
    /** At most 8,000 bytes. */
    async say(database: Database, words: string): Promise<void> {
      await database.query('select pg_notify($1, $2)', [name, words])
    },
  }
}
