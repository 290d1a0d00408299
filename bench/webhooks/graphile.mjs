import { Logger, run } from 'graphile-worker'
import pg from 'pg'
import { Pool } from 'undici'
import { serve } from '../lib/child.mjs'

// The well-known PostgreSQL job queue doing the same job: fetched in batches, posted, completed in
// batches. It neither signs nor keeps an attempt, and is spared the guard.
let runner
let pool
let database

serve({
  async start({ databaseUrl, connections, tuning }) {
    database = new pg.Pool({ connectionString: databaseUrl, max: 10 })
    const pools = new Map()
    const post = async ({ id, url, body }) => {
      const { origin, pathname } = new URL(url)
      pool = pools.get(origin)
      if (pool === undefined) {
        pool = new Pool(origin, { connections, pipelining: 1 })
        pools.set(origin, pool)
      }
      const headers = { 'content-type': 'application/json', 'webhook-id': id }
      const response = await pool.request({ path: pathname, method: 'POST', headers, body })
      await response.body.text()
      if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}`)
    }
    runner = await run({
      pgPool: database,
      taskList: { post },
      noHandleSignals: true,
      logger: new Logger(() => (level, message) => {
        if (level === 'error') console.error(message)
      }),
      preset: { worker: { concurrentJobs: connections, pollInterval: 200, ...tuning } },
    })
  },
  async stop() {
    await runner.stop()
    await pool?.destroy()
    await database.end()
  },
})
