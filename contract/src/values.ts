// Sets of values that requests and responses share with the server and the pages. Browsers load this file too.

export const STATUSES = ['pending', 'completed', 'failed', 'refunded', 'expired'] as const
/**
 * `create` also allows expiring payments, creating and changing links, resending webhooks and simulating the payer in the
 * sandbox.
 */
export const SCOPES = ['read', 'create', 'refund'] as const
export const ROLES = ['owner', 'manager', 'cashier', 'viewer'] as const
/** A permission that a route requires, or a scope of a token. */
export const PERMISSIONS = ['metrics', 'read', 'support', 'money', 'admin'] as const
export const OPERATOR_ROLES = ['admin', 'finance', 'support', 'auditor'] as const
/** Movements of money between the service and the outside. */
export const MOVE_KINDS = ['top_up', 'withdrawal', 'funding', 'payout'] as const
/** The kinds of transfers that change a store's balance. Donations don't. */
export const LINE_KINDS = ['payment', 'fee', 'refund', 'refund_fee', 'funding', 'payout'] as const
/** Every status except `pending` has an event. Creation has none: its response reports it. */
export const EVENT_TYPES = [
  'payment.completed',
  'payment.failed',
  'payment.expired',
  'payment.refunded',
] as const
export const LINK_STATES = ['active', 'paused', 'used_up', 'expired'] as const
/** The delivery state of an event. A failing one is retried. */
export const EVENT_STATES = ['delivered', 'waiting', 'failing', 'exhausted', 'not_wanted'] as const
export const MAIL_STATES = ['queued', 'sent', 'failed'] as const
/** The largest number of findings that an audit of the ledger reports for each check. */
export const MAX_FINDINGS = 100
export const TEMPLATES = [
  'test',
  'invitation',
  'password_reset',
  'wallet_activation',
  'wallet_signup',
  'new_device',
  'account_changed',
  'new_credential',
  'payout',
  'approval_needed',
  'receipt',
  'refund',
  'daily_close',
  'payment_request',
] as const
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
