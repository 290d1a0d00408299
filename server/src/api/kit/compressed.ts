import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding, headerOf } from './headers.ts'

/** A static document in all its content codings. */
export type Compressed = {
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

// These run in the thread pool, not on the event loop.
const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
const BROTLI_QUALITY = 9

export async function compress(text: string): Promise<Compressed> {
  const plain = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const [br, gzip] = await Promise.all([brotli(plain, { params }), zip(plain)])
  return { etag: `W/"${hash('sha256', plain, 'hex').slice(0, 32)}"`, plain, br, gzip }
}

/** Caches the result of the first call. A failure is not cached. */
export function once(make: () => Promise<Compressed>): () => Promise<Compressed> {
  let made: Promise<Compressed> | undefined
  return () => {
    made ??= make()
    made.catch(() => {
      made = undefined
    })
    return made
  }
}

/** Sends the smallest coding that the client accepts, or 304 if its copy is current. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  document: Compressed,
): FastifyReply {
  reply.header('cache-control', 'no-cache')
  reply.header('vary', 'accept-encoding')
  reply.header('etag', document.etag)
  const known = (headerOf(request, 'if-none-match') ?? '').split(',')
  if (known.some((etag) => etag.trim() === document.etag)) return reply.code(304).send()
  const coding = (['br', 'gzip'] as const).find((one) => acceptsEncoding(request, one))
  if (coding === undefined) return reply.send(document.plain)
  return reply.header('content-encoding', coding).send(document[coding])
}
