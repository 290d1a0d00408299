import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** The prefix makes browsers insist on what stands below, so that no other host can set it. */
const NAME = '__Host-florin_person'
const FLAGS = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const

// Its functions and not its plugin, whose hooks would run with every call of every merchant.
const { parse, serialize } = fastifyCookie

export const PERSON_COOKIE = NAME

export function personTokenOf(request: FastifyRequest): string | null {
  const { cookie } = request.headers
  return cookie === undefined ? null : (parse(cookie)[NAME] ?? null)
}

export function setPersonCookie(reply: FastifyReply, token: string, expires: Date): void {
  reply.header('set-cookie', serialize(NAME, token, { ...FLAGS, expires }))
}

export function clearPersonCookie(reply: FastifyReply): void {
  reply.header('set-cookie', serialize(NAME, '', { ...FLAGS, expires: new Date(0) }))
}

/**
 * Whether somebody else's page may have sent this. A browser sends the cookie by itself, but it also
 * says truly where a request comes from; one that changes something must come from our own pages.
 */
export function isForeign(
  request: FastifyRequest,
  { publicUrl, mustTell }: { publicUrl: string; mustTell: boolean },
): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined && site !== 'same-origin') return true
  if (origin === undefined) return mustTell
  return origin !== new URL(publicUrl).origin && origin !== `${request.protocol}://${request.host}`
}
