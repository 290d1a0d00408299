import { createServer } from 'node:http'
import { sendEvent, serve } from '../lib/child.mjs'

// Merchants' servers in a separate process. Some never respond.
const servers = []
const sockets = new Set()
const hanging = new Set()
let seen = new Set()
let arrivals = 0
let target = Number.POSITIVE_INFINITY
let delaysMs = []

function receive(request, response) {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    arrivals += 1
    seen.add(request.headers['webhook-id'])
    recordDelay(chunks)
    response.end('ok')
    if (seen.size === target) sendEvent('reached')
  })
}

/** Records the delay since the event's timestamp, which is slightly before its commit. */
function recordDelay(chunks) {
  const head = (chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)).toString('latin1', 0, 200)
  const at = /"timestamp":"([^"]+)"/.exec(head)
  if (at !== null) delaysMs.push(Date.now() - Date.parse(at[1]))
}

async function listen(isDead) {
  const server = createServer((request, response) => {
    if (!isDead) return receive(request, response)
    request.resume()
    hanging.add(response)
    response.on('close', () => hanging.delete(response))
  })
  server.requestTimeout = 0
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise((resolve) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, resolve),
  )
  servers.push(server)
  return `http://127.0.0.1:${server.address().port}/hook`
}

serve({
  async start({ healthy, dead }) {
    const urls = { healthy: [], dead: [] }
    for (let n = 0; n < healthy; n++) urls.healthy.push(await listen(false))
    for (let n = 0; n < dead; n++) urls.dead.push(await listen(true))
    return urls
  },
  /** Resets the counters, and reports when this many different events have arrived. */
  expect(count) {
    seen = new Set()
    arrivals = 0
    delaysMs = []
    target = count
  },
  counts: () => ({ events: seen.size, arrivals, hanging: hanging.size }),
  delays: () => delaysMs,
  stop() {
    for (const socket of sockets) socket.destroy()
    for (const server of servers) server.close()
  },
})
