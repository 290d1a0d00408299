import { Pool } from 'undici'
import { serve } from '../lib/child.mjs'

// The upper bound for one Node.js process: posts the bodies without a database or signatures.
let pool
let path
let connections

serve({
  start(settings) {
    const url = new URL(settings.url)
    path = url.pathname
    connections = settings.connections
    pool = new Pool(url.origin, { connections, pipelining: 1 })
  },
  async run(events) {
    let next = 0
    async function post() {
      while (next < events.length) {
        const { id, body } = events[next++]
        const headers = { 'content-type': 'application/json', 'webhook-id': id }
        const response = await pool.request({ path, method: 'POST', headers, body })
        await response.body.text()
        if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`)
      }
    }
    const startedMs = performance.now()
    await Promise.all(Array.from({ length: connections }, post))
    return performance.now() - startedMs
  },
  stop: () => pool.destroy(),
})
