import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { SECURITY_HEADERS } from './securityHeaders.ts'

const STATUSES: Record<string, readonly [status: number, message: string]> = {
  HPE_HEADER_OVERFLOW: [431, 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request took too long to arrive'],
}

/** What is not HTTP, or never ends, gets no further than the parser: answered here, then closed. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const [status, message] = STATUSES[error.code ?? ''] ?? [400, 'The request is not valid HTTP']
  const body = JSON.stringify({ status, message })
  if (socket.writable) {
    const headers = {
      ...{ ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' },
      ...{ 'content-length': Buffer.byteLength(body), connection: 'close' },
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  }
  // Whoever sends rubbish need not be waited for.
  setTimeout(() => socket.destroy(), 1_000).unref()
}
