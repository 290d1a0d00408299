import { Logger, run } from 'graphile-worker'
import pg from 'pg'
import { Pool } from 'undici'
import { signatureHeaders } from '../../server/dist/core/webhook.js'
import { serve } from '../lib/child.mjs'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

// graphile-worker, a PostgreSQL job queue, doing the same work: fetches in batches, posts, completes in batches. It stores
// no attempts, and signs only if configured.
const pools = new Map()
let runner
let database

serve({
  async start({ databaseUrl, connections, tuning, schema, signs }) {
    database = new pg.Pool({ connectionString: databaseUrl, max: 10 })
    const post = async ({ id, url, body }) => {
      const { origin, pathname } = new URL(url)
      let pool = pools.get(origin)
      if (pool === undefined) {
        pool = new Pool(origin, { connections, pipelining: 1 })
        pools.set(origin, pool)
      }
      const headers = {
        'content-type': 'application/json',
        ...(signs
          ? signatureHeaders({ id, body: Buffer.from(body), at: new Date() }, [secret])
          : { 'webhook-id': id }),
      }
      const response = await pool.request({ path: pathname, method: 'POST', headers, body })
      await response.body.text()
      if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
    }
    runner = await run({
      pgPool: database,
      taskList: { post },
      noHandleSignals: true,
      logger: new Logger(() => (level, message) => {
        if (level === 'error') console.error(message)
      }),
      preset: { worker: { concurrentJobs: connections, schema, pollInterval: 200, ...tuning } },
    })
  },
  async stop() {
    await runner.stop()
    for (const pool of pools.values()) await pool.destroy()
    await database.end()
  },
})
