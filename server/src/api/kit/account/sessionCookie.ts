import { fastifyCookie } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { headerOf } from '../http/headers.ts'

const FLAGS = { path: '/', secure: true, httpOnly: true, sameSite: 'strict' } as const

// Don't use the plugin: its hooks would run for every request.
const { parse, serialize } = fastifyCookie

export function cookiesOf(request: FastifyRequest): Record<string, string | undefined> {
  const cookie = headerOf(request, 'cookie')
  return cookie === undefined ? {} : parse(cookie)
}

/** Browsers accept a `__Host-` cookie only if it is secure and has the path `/` and no domain, so no other host can set it. */
export function sessionCookie(name: `__Host-${string}`) {
  return {
    name,
    tokenOf(request: FastifyRequest): string | null {
      return cookiesOf(request)[name] ?? null
    },
    set(reply: FastifyReply, token: string, expires: Date): void {
      reply.header('set-cookie', serialize(name, token, { ...FLAGS, expires }))
    },
    clear(reply: FastifyReply): void {
      reply.header('set-cookie', serialize(name, '', { ...FLAGS, expires: new Date(0) }))
    },
  }
}

export const personCookie = sessionCookie('__Host-florin_person')
export const operatorCookie = sessionCookie('__Host-florin_operator')
export const walletCookie = sessionCookie('__Host-florin_wallet')

/**
 * Whether a page of another origin may have sent the request. `SameSite=Strict` withholds the cookie from other sites, but
 * not from other origins of the same site, such as another subdomain. Requests that change something must come from our
 * own pages. With `requireOrigin`, a request without an origin counts as cross-origin.
 */
export function isCrossOrigin(
  request: FastifyRequest,
  { publicUrl, requireOrigin }: { publicUrl: string; requireOrigin: boolean },
): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false
  const site = headerOf(request, 'sec-fetch-site')
  const origin = headerOf(request, 'origin')
  if (site !== undefined && site !== 'same-origin') return true
  if (origin === undefined) return requireOrigin
  return origin !== new URL(publicUrl).origin && origin !== `${request.protocol}://${request.host}`
}
