import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { REFUSALS } from '@florin/contract/refusals.js'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../replies.ts'
import { SECURITY_HEADERS } from './securityHeaders.ts'

const RESPONSES: Record<string, readonly [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

/** Responds to requests that the HTTP parser rejects or that arrive too slowly, and closes the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = RESPONSES[error.code ?? ''] ?? [400, 'The request is not valid HTTP']
  writeRefusal(socket, status, message)
}

/** Responds in JSON where Node.js would send its own response or close the connection without one. */
export function replaceNodeResponses(app: FastifyInstance): void {
  app.addHook('onRequest', ({ headers, raw }, reply, done) => {
    // HTTP/1.0 doesn't require the header.
    const needsHost = raw.httpVersionMajor === 1 && raw.httpVersionMinor >= 1
    if (needsHost && headers.host === undefined) return void refuse(reply, 'host_missing')
    if (repeatsHost(raw.rawHeaders)) return void refuse(reply, 'host_repeated')
    if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
      return void refuse(reply, 'expectation_failed')
    }
    done()
  })
  app.server.on('checkExpectation', (request, response) =>
    app.server.emit('request', request, response),
  )
  app.server.on('connect', (_request, socket: Socket) => {
    // Node.js has removed its own listener, and without one a reset connection would crash the process.
    socket.on('error', () => {})
    const [status, message] = REFUSALS.method_not_allowed
    writeRefusal(socket, status, message)
  })
}

/** Node.js would use the first one. A proxy may have used another. */
function repeatsHost(namesAndValues: readonly string[]): boolean {
  let count = 0
  for (let index = 0; index < namesAndValues.length; index += 2) {
    const name = namesAndValues[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count > 1
}

function writeRefusal(socket: Socket, status: number, message: string): void {
  const body = JSON.stringify({ status, message })
  if (socket.writable) {
    const headers = {
      ...SECURITY_HEADERS,
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      connection: 'close',
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }
  // The client may never close its side of the connection.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
