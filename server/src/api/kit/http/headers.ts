import type { Locale } from '@florin/shared/locales.js'
import type { FastifyRequest } from 'fastify'
import { preferredLocale } from '../../../core/locales.ts'

/** The headers that `headerOf` reads, with the maximum length of each value. */
const MAX_LENGTHS = {
  accept: 1000,
  'accept-encoding': 500,
  'accept-language': 1000,
  'api-key': 300,
  'api-secret': 300,
  authorization: 310,
  cookie: 8192,
  'idempotency-key': 255,
  'if-none-match': 500,
  origin: 300,
  'sec-fetch-site': 20,
  'user-agent': 2000,
  'x-florin-session': 100,
} as const

type HeaderName = keyof typeof MAX_LENGTHS

/** Maximum size of all headers of a request. Node.js rejects more, and `refuseUnreadable` responds with 431. */
export const MAX_HEADERS_BYTES = 16 * 1024

/**
 * A header of bounded length: undefined if it is absent, empty if it is longer than any valid value.
 * Read a header through this function before you parse it, so that no parser gets a value of many kilobytes.
 */
export function headerOf(request: FastifyRequest, name: HeaderName): string | undefined {
  const value = request.headers[name]
  if (value === undefined) return undefined
  return typeof value === 'string' && value.length <= MAX_LENGTHS[name] ? value : ''
}

/** Whether the client accepts a content encoding, such as `gzip`. */
export function acceptsEncoding(request: FastifyRequest, encoding: string): boolean {
  const offers = (headerOf(request, 'accept-encoding') ?? '').toLowerCase().split(',')
  return offers.some((offer) => {
    const [name = '', ...parameters] = offer.split(';').map((part) => part.trim())
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return name === encoding && Number(quality?.slice(2) ?? 1) > 0
  })
}

/** The language that the client prefers. */
export const localeOfRequest = (request: FastifyRequest): Locale =>
  preferredLocale(headerOf(request, 'accept-language'))

const MAX_USER_AGENT_LENGTH = 200

/** The User-Agent header, reduced to characters that can be stored and shown in a list. */
export function userAgentOf(request: FastifyRequest): string {
  return (headerOf(request, 'user-agent') ?? '')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, MAX_USER_AGENT_LENGTH)
}
