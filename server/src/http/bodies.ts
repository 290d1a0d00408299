import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { parseJsonExactly, structureProblem } from '../core/json.ts'

const MAX_DEPTH = 64

/** The body is not JSON that we take; told apart from what is wrong inside of it. */
export class BodyError extends Error {}

/** JSON with exact numbers; keeps the bytes, by which a repeated request is recognised. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer
    request.rawBody = bytes
    if (bytes.length === 0 && request.routeOptions.config.needsNoBody) return done(null, undefined)
    try {
      done(null, parseBody(bytes))
    } catch (error) {
      done(error as Error)
    }
  })
}

function parseBody(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw new BodyError('body must be UTF-8')
  let value: unknown
  try {
    value = parseJsonExactly(bytes.toString('utf8'))
  } catch {
    throw new BodyError('body must be JSON')
  }
  const problem = structureProblem(value, MAX_DEPTH)
  if (problem === 'too_deep') throw new BodyError(`body must have at most ${MAX_DEPTH} levels`)
  if (problem === 'forbidden_key') throw new BodyError('body must not contain the key __proto__')
  return value
}

/** Pictures as they are; what they really are is judged by their bytes. */
export function acceptPictures(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    ['image/png', 'image/jpeg'],
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  )
}

/** For calls that take no body: any is let in, and none of it matters but for recognising it. */
export function acceptAnything(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  // Fastify refuses a type that is none before it asks any parser.
  app.addHook('onRequest', (request, _reply, done) => {
    delete request.headers['content-type']
    done()
  })
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    request.rawBody = body as Buffer
    done(null, undefined)
  })
}
