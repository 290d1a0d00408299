import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keepEveryDigit } from '../../../core/json.ts'
import { findDuplicateKey, scanJson } from '../../../core/jsonText.ts'
import { refuse } from '../replies.ts'
import type { FieldProblem } from './validation.ts'

/**
 * The limit for routes without credentials. Anyone can open many connections and send nearly all of a body on each, and the
 * service holds these bytes until the timeout. The largest body that these routes need is a sign-in with a passkey.
 */
export const MAX_OPEN_BODY_BYTES = 32 * 1024
const MAX_DEPTH = 64
/** More values than all documented fields of a body can have. The validator collects every error, so it must not get many items. */
const MAX_VALUES = 15_000
/** Keeping every digit of such a number is slow. A payload of at most 16 KiB can't contain this many. */
const MAX_UNUSUAL_NUMBERS = 3_000

/** The body is not JSON, exceeds a limit, or has a duplicate or forbidden key. */
export class BodyError extends Error {}

/** Parses JSON with exact numbers. Keeps the raw bytes for the fingerprint of an Idempotency-Key. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    request.rawBody = bytes
    if (bytes.length === 0 && request.routeOptions.config.hasOptionalBody)
      return done(null, undefined)
    try {
      done(null, parseBody(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}

/** Parses a JSON body, or throws a BodyError. */
function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new BodyError('body must be UTF-8')
  const text = bytes.toString('utf8')
  const shape = scanJson(text)
  if (shape.depth > MAX_DEPTH) throw new BodyError(`body must have at most ${MAX_DEPTH} levels`)
  if (shape.values > MAX_VALUES) throw new BodyError(`body must have at most ${MAX_VALUES} values`)
  if (shape.unusualNumbers > MAX_UNUSUAL_NUMBERS) {
    throw new BodyError(
      `body must have at most ${MAX_UNUSUAL_NUMBERS} numbers with more than 15 characters or an exponent of more than two digits`,
    )
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new BodyError('body must be JSON')
  }
  // JSON.parse keeps only one of two equal keys, so a smaller count means a duplicate.
  if (countKeys(value) < shape.keys) {
    const name = JSON.stringify(findDuplicateKey(text))
    throw new BodyError(`body must not contain the key ${name} twice in one object`)
  }
  return keepEveryDigit(value, text, shape)
}

/** Recursive: check the depth of the value first. */
function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  const fields = value as Record<string, unknown>
  for (const key in fields) {
    // Code that copies this key by plain assignment would change a prototype.
    if (key === '__proto__') throw new BodyError('body must not contain the key __proto__')
    count += 1 + countKeys(fields[key])
  }
  return count
}

/** Refuses compressed bodies. Runs after the credentials and the path are checked. */
export function refuseEncodedBodies(app: FastifyInstance): void {
  app.addHook('preParsing', (request, reply, _payload, done) => {
    const encoding = request.headers['content-encoding']
    if (encoding === undefined || /^identity$/i.test(encoding)) return done()
    refuse(reply, 'unsupported_encoding')
  })
}

/** Accepts images as bytes. The content type is not trusted: the decoder checks the bytes. */
export function acceptPictures(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['image/png', 'image/jpeg'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
}

/** For endpoints without a body: accepts any body and doesn't parse it. Keeps the raw bytes, as `acceptJson` does. */
export function acceptAnything(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Fastify refuses an invalid content type before any parser runs.
  app.addHook('onRequest', (request, _reply, done) => {
    delete request.headers['content-type']
    done()
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer
    done(null, undefined)
  })
}

/**
 * Refuses partial refunds: a client that expects one must not trigger a full refund.
 * The content type doesn't matter, and a body that is not a JSON object is ignored.
 */
export function partialRefundProblem({ rawBody }: FastifyRequest): FieldProblem | null {
  if (!rawBody || rawBody.length === 0 || !hasKey(rawBody, 'amount')) return null
  const message = 'Partial refunds are not supported. Send no body to refund in full.'
  return { field: 'amount', message }
}

function hasKey(bytes: Buffer, key: string): boolean {
  try {
    // A TextDecoder drops a byte order mark, which JSON.parse would refuse.
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  } catch {
    return false
  }
}
