// Hostile receivers, in their own process so that their memory doesn't count as the service's.
// Usage: node poisonReceivers.mjs [key.pem cert.pem]. Prints its ports and runs until stdin ends.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { gzipSync } from 'node:zlib'

const OK = 'HTTP/1.1 200 OK\r\n'
const EARLY = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'
const KIB = Buffer.alloc(1024, 'x')
const MIB = Buffer.alloc(1024 * 1024, 'x')
const BOMB = gzipSync(Buffer.alloc(256 * 1024 * 1024))

/** Writes as fast as the peer reads, `times` times or until it disconnects. */
function flood(socket, next, times = Number.POSITIVE_INFINITY) {
  let written = 0
  const pump = () => {
    while (written < times && !socket.destroyed) {
      if (!socket.write(next(written++))) return void socket.once('drain', pump)
    }
    if (!socket.destroyed) socket.end()
  }
  pump()
}

function drip(socket, everyMs, next) {
  const timer = setInterval(() => socket.write(next()), everyMs)
  socket.on('close', () => clearInterval(timer))
}

const receivers = {
  fine: (socket) => socket.write(`${OK}content-length: 2\r\n\r\nok`),
  gigabyte: (socket) => {
    socket.write(`${OK}content-length: ${2 ** 30}\r\n\r\n`)
    flood(socket, () => MIB, 1024)
  },
  endless: (socket) => {
    socket.write(`${OK}\r\n`)
    flood(socket, () => MIB)
  },
  endlessChunks: (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`)
    flood(socket, () => '1\r\nx\r\n'.repeat(1000))
  },
  drip: (socket) => {
    socket.write(`${OK}\r\n`)
    drip(socket, 500, () => 'x')
  },
  dripHeaders: (socket) => {
    socket.write(OK)
    drip(socket, 100, () => 'a')
  },
  silent: () => {},
  manyHeaders: (socket) => {
    const headers = Array.from({ length: 10_000 }, (_, n) => `x-${n}: ${n}\r\n`).join('')
    socket.write(`${OK}${headers}content-length: 2\r\n\r\nok`)
  },
  endlessHeaders: (socket) => {
    socket.write(OK)
    flood(socket, (n) => `x-${n}: ${'y'.repeat(100)}\r\n`)
  },
  endlessHeader: (socket) => {
    socket.write(`${OK}x: `)
    flood(socket, () => KIB)
  },
  endlessReason: (socket) => {
    socket.write('HTTP/1.1 200 ')
    flood(socket, () => KIB)
  },
  endlessInfo: (socket) => flood(socket, () => EARLY.repeat(1000)),
  dripInfo: (socket) => drip(socket, 50, () => EARLY),
  endlessExtension: (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1;`)
    flood(socket, () => KIB)
  },
  endlessTrailers: (socket) => {
    socket.write(`${OK}transfer-encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n`)
    flood(socket, (n) => `x-${n}: ${'y'.repeat(100)}\r\n`)
  },
  half: (socket) => socket.end(`${OK}content-length: 100\r\n\r\nonly this`),
  closed: (socket) => socket.end(),
  reset: (socket) => socket.resetAndDestroy(),
  garbage: (socket) => socket.end('\x16\x03\x01 SSH-2.0-OpenSSH\r\n\0\0\0'),
  twoLengths: (socket) => socket.end(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok`),
  switch: (socket) =>
    socket.write('HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  redirect: (socket) =>
    socket.write('HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1/\r\ncontent-length: 0\r\n\r\n'),
  gzip: (socket) => {
    const type = 'content-type: text/plain\r\ncontent-encoding: gzip\r\n'
    socket.write(`${OK}${type}content-length: ${BOMB.length}\r\n\r\n`)
    socket.write(BOMB)
  },
  binary: (socket) => {
    const body = Buffer.from([0x61, 0x00, 0xff, 0xfe, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0x62, 0x00])
    socket.write(`${OK}content-length: ${body.length}\r\n\r\n`)
    socket.write(body)
  },
  cutCharacter: (socket) => {
    const body = Buffer.from(`${'x'.repeat(4094)}€ and more`)
    socket.write(`${OK}content-length: ${body.length}\r\n\r\n`)
    socket.write(body)
  },
}

const REQUEST = /^POST \/(\w+) .*\r\n\r\n\{.*\}$/s
function respond(socket) {
  let text = ''
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1')
    const name = REQUEST.exec(text)?.[1]
    if (name === undefined) return
    text = ''
    receivers[name](socket)
  })
}

const listen = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
const [key, cert] = process.argv.slice(2).map((path) => readFileSync(path))
const port = await listen(createServer({ noDelay: true }, respond))
const tlsPort = key && (await listen(createTlsServer({ key, cert }, respond)))
// Each receiver also has its own port.
const ownPorts = {}
for (const name in receivers)
  ownPorts[name] = await listen(createServer({ noDelay: true }, respond))
process.stdout.write(`${JSON.stringify({ port, tlsPort: tlsPort ?? null, ownPorts })}\n`)
process.stdin.resume().on('end', () => process.exit())
