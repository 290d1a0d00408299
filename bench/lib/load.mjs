import { connect } from 'node:net'
import { serve } from './child.mjs'

// A lightweight load generator, because it shares the cores with the service: requests are built in advance and responses
// parsed only as far as needed. Runs in its own process, so that its CPU time is counted separately.
const HEAD_END = Buffer.from('\r\n\r\n')

/**
 * Sends each request once over the given number of connections, one at a time per connection. Returns the total
 * duration, the number of responses, the latencies and, with `keepBodies`, the bodies. `requests` are complete HTTP/1.1 requests
 * as text; responses need a content-length. With `perSecond`, each request has a scheduled time, and its latency counts
 * from then, even if no connection was free.
 */
function sendAll({ port, connections, requests, keepBodies = false, perSecond = null }) {
  const startedMs = performance.now()
  let next = 0
  let responses = 0
  let failure = null
  const bodies = keepBodies ? new Array(requests.length) : null
  const latenciesMs = new Array(requests.length)
  const worker = () =>
    new Promise((resolve, reject) => {
      if (next >= requests.length) return resolve()
      const socket = connect(port, '127.0.0.1')
      socket.setNoDelay(true)
      let received = null
      let current = next++
      let sentMs = 0
      const write = () => {
        const nowMs = performance.now()
        sentMs = perSecond === null ? nowMs : startedMs + (current * 1000) / perSecond
        if (sentMs > nowMs) setTimeout(() => socket.write(requests[current]), sentMs - nowMs)
        else socket.write(requests[current])
      }
      socket.on('connect', write)
      socket.on('error', reject)
      socket.on('close', () => reject(new Error('the server closed the connection')))
      socket.on('data', (chunk) => {
        received = received === null ? chunk : Buffer.concat([received, chunk])
        const headEnd = received.indexOf(HEAD_END)
        if (headEnd < 0) return
        const head = received.latin1Slice(0, headEnd)
        const at = head.toLowerCase().indexOf('content-length: ')
        const length = Number.parseInt(head.slice(at + 16, at + 26), 10)
        if (received.length < headEnd + 4 + length) return
        if (!head.startsWith('HTTP/1.1 200')) {
          failure ??= `${head.slice(0, 12)} ${received.utf8Slice(headEnd + 4)}`
        }
        if (bodies !== null) bodies[current] = received.utf8Slice(headEnd + 4, headEnd + 4 + length)
        latenciesMs[current] = performance.now() - sentMs
        responses += 1
        received = null
        if (next < requests.length) {
          current = next++
          write()
          return
        }
        socket.removeAllListeners('close')
        socket.destroy()
        resolve()
      })
    })
  return Promise.all(Array.from({ length: connections }, worker)).then(() => {
    if (failure !== null) throw new Error(`A response was not 200: ${failure}`)
    return { ms: performance.now() - startedMs, responses, bodies, latenciesMs }
  })
}

/** Builds a complete request as text. */
export function requestOf({ method = 'POST', path, headers = {}, body }) {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: '127.0.0.1',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`
}

if (process.argv[1]?.endsWith('load.mjs')) serve({ start() {}, send: sendAll, stop() {} })
