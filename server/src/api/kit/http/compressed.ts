import { hash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding, headerOf } from './headers.ts'

/** A static document in every encoding that it is sent in. */
export type CompressedDocument = {
  readonly etag: string
  readonly plain: Buffer
  readonly br: Buffer
  readonly gzip: Buffer
}

// These run in the thread pool, not on the event loop.
const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
const BROTLI_QUALITY = 9

export async function compress(text: string): Promise<CompressedDocument> {
  const plain = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY }
  const [br, gzip] = await Promise.all([compressBrotli(plain, { params }), compressGzip(plain)])
  return { etag: `W/"${hash('sha256', plain, 'hex').slice(0, 32)}"`, plain, br, gzip }
}

/** Creates a value on the first call and caches it. After a failure, the next call tries again. */
export function once<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let cached: Promise<Value> | undefined
  return () => {
    cached ??= create()
    cached.catch(() => {
      cached = undefined
    })
    return cached
  }
}

/** Sends the smallest encoding that the client accepts, or 304 if the client has the document already. */
export function sendCompressed(
  request: FastifyRequest,
  reply: FastifyReply,
  document: CompressedDocument,
) {
  reply.header('cache-control', 'no-cache')
  reply.header('vary', 'accept-encoding')
  reply.header('etag', document.etag)
  const etags = (headerOf(request, 'if-none-match') ?? '').split(',')
  if (etags.some((etag) => etag.trim() === document.etag)) return reply.code(304).send()
  const encoding = (['br', 'gzip'] as const).find((name) => acceptsEncoding(request, name))
  if (encoding === undefined) return reply.send(document.plain)
  return reply.header('content-encoding', encoding).send(document[encoding])
}
