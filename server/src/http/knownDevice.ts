import type { FastifyReply, FastifyRequest } from 'fastify'
import { deviceIn, signDevice } from '../core/devices.ts'
import { hashToken, mintToken } from '../core/ids.ts'
import { sessionCookie } from './sessionCookie.ts'

const KNOWN_MS = 365 * 24 * 3_600_000

/**
 * A browser in which somebody has signed in before. Wrong passwords typed there are counted apart from those
 * of the rest of the world, so that nobody who merely knows an address can lock its owner out.
 */
export function knownDevice(account: string, secretKey: Buffer) {
  // A cookie each, since the people of a store share its till.
  const cookie = sessionCookie(`__Host-florin_known_${hashToken(account).toString('hex', 0, 6)}`)

  /** Its name; null where nobody has signed in to this account there. */
  function nameOf(request: FastifyRequest): string | null {
    const signed = cookie.tokenOf(request)
    return signed === null ? null : deviceIn(signed, account, secretKey)
  }

  return {
    nameOf,
    remember(request: FastifyRequest, reply: FastifyReply): void {
      const name = nameOf(request) ?? mintToken('fld_')
      const until = new Date(Date.now() + KNOWN_MS)
      cookie.set(reply, signDevice(name, account, secretKey), until)
    },
  }
}
