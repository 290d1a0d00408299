import type { Role } from '@florin/server/core/person.js'

export type Member = {
  readonly person_id: string
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly disabled_at: string | null
}

/** A password that was made up is told this once. */
export type WithPassword = Member & { readonly password?: string }
