import { connect } from 'node:net'
import { serve } from '../lib/child.mjs'

// Clients that wait for a change, each on its own connection, in a separate process.

/** How many connections are opened at the same time. */
const CONCURRENCY = 100
let waiting = []
let responses = []

/**
 * Resolves when the request is sent. Adds a promise to `responses`: the time at which the response arrives, and whether it
 * is the expected one.
 */
function startWaiting(port, request, { end, expected }) {
  return new Promise((sent, failed) => {
    const response = new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(request, () => sent()))
      waiting.push(socket)
      let received = ''
      socket.setEncoding('latin1')
      socket.on('data', (chunk) => {
        received += chunk
        if (!received.endsWith(end)) return
        resolve({ atMs: Date.now(), isPaid: received.endsWith(expected) })
        socket.destroy()
      })
      socket.on('error', (error) => {
        failed(error)
        reject(error)
      })
      socket.on('close', () => reject(new Error('the server closed the connection')))
    })
    response.catch(() => {})
    responses.push(response)
  })
}

serve({
  start() {},
  /** A response is complete when it ends with `end`; `isPaid` is whether it ends with `expected`. */
  async wait({ port, requests, end, expected }) {
    waiting = []
    responses = []
    for (let from = 0; from < requests.length; from += CONCURRENCY) {
      const next = requests.slice(from, from + CONCURRENCY)
      await Promise.all(next.map((request) => startWaiting(port, request, { end, expected })))
    }
  },
  countWaiting: () => waiting.filter((socket) => !socket.destroyed).length,
  responses: () => Promise.all(responses),
  stop() {
    for (const socket of waiting) socket.destroy()
  },
})
