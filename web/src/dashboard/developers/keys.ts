import type { Scope } from '@florin/server/core/credentials.js'
import { parseTime } from '../../kit/time.ts'

export type Key = {
  readonly api_key: string
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly created_at: string
  readonly expires_at: string | null
  readonly previous_secret_until: string | null
  readonly revoked_at: string | null
  readonly last_used_at: string | null
}

/** With what is shown this once. */
export type Issued = Key & { readonly api_secret: string }

export const nameOf = ({ label, api_key }: Key): string => label || api_key

export function stateOf({ revoked_at, expires_at }: Key): 'works' | 'revoked' | 'ended' {
  if (revoked_at !== null) return 'revoked'
  return expires_at !== null && parseTime(expires_at) <= new Date() ? 'ended' : 'works'
}
