import type { Role } from '@florin/server/core/person.js'

/** Who is signed in, for which store, and what the role may do. */
export type Who = {
  readonly person: { readonly name: string; readonly email: string; readonly role: Role }
  readonly session: { readonly session_id: string }
  readonly may: readonly string[]
  readonly refund_cap: string | null
  readonly store: {
    readonly id: number
    readonly name: string
    readonly email: string
    readonly phone: string
    readonly domain: string
    readonly currency: string
    readonly time_zone: string
    readonly suspended: boolean
  }
}
