import type { SECURITY_EVENT_KINDS } from '@florin/contract/values.js'

export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number]

/** Kinds that an unauthenticated client can cause, so the number of stored events must be limited. */
export const ANONYMOUS_KINDS: readonly SecurityEventKind[] = [
  'sign_in_failed',
  'account_locked',
  'password_reset_requested',
]
