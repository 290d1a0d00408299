/** Everything that is recorded as a security event. */
export const SECURITY_EVENT_KINDS = [
  'sign_in',
  'sign_in_failed',
  'sign_out',
  'account_locked',
  'account_unlocked',
  'account_created',
  'account_disabled',
  'account_enabled',
  'session_ended',
  'role_changed',
  'password_changed',
  'password_reset',
  'password_reset_requested',
  'passkey_added',
  'passkey_removed',
  'totp_added',
  'totp_removed',
  'recovery_codes_created',
  'recovery_code_used',
  'api_key_created',
  'api_key_rotated',
  'api_key_revoked',
  'webhook_secret_rotated',
  'token_created',
  'token_revoked',
  'approval_requested',
  'approval_granted',
  'approval_denied',
  'setting_changed',
  'pin_changed',
  'pin_reset',
  'wallet_activated',
] as const
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number]

/** Kinds that an unauthenticated client can cause, so the number of stored events must be limited. */
export const ANONYMOUS_KINDS: readonly SecurityEventKind[] = [
  'sign_in_failed',
  'account_locked',
  'password_reset_requested',
]
