import { ROLES, SCOPES } from '@florin/contract/values.js'
import type { AccountBase } from './account.ts'
import { wireTime } from './calendar.ts'
import type { Scope } from './credentials.ts'
import type { StoreId } from './ids.ts'

export type Role = (typeof ROLES)[number]

/** A person who works for a store. */
export type Person = AccountBase & {
  readonly personId: string
  readonly storeId: StoreId
  readonly role: Role
}

/** Part of a store's settings. */
type RefundCaps = {
  readonly refundCapManagerMinor: bigint | null
  readonly refundCapCashierMinor: bigint | null
}

/** The largest gross that a role may refund; null for no limit. */
export function refundCapOf(role: Role, store: RefundCaps): bigint | null {
  switch (role) {
    case 'owner':
      return null
    case 'manager':
      return store.refundCapManagerMinor
    case 'cashier':
      return store.refundCapCashierMinor
    case 'viewer':
      return 0n
  }
}

/** The scopes of a role. With a refund cap of zero it has no `refund` scope. */
export function scopesOf(role: Role, store: RefundCaps): readonly Scope[] {
  const canRefund = refundCapOf(role, store) !== 0n
  return SCOPES.filter((scope) => {
    if (scope === 'create') return role !== 'viewer'
    return scope !== 'refund' || canRefund
  })
}

const NO_CAPS: RefundCaps = { refundCapManagerMinor: null, refundCapCashierMinor: null }

/** The roles that may call a route with this declaration. Refund caps are checked separately. */
export function rolesFor({
  scope,
  roles = ROLES,
}: {
  scope?: Scope | undefined
  roles?: readonly Role[] | undefined
}): readonly Role[] {
  return roles.filter((role) => scope === undefined || scopesOf(role, NO_CAPS).includes(scope))
}

export type CapRefusal = 'role_not_allowed' | 'above_refund_cap'

/** A gross equal to the cap is allowed. */
export function capRefusal(role: Role, store: RefundCaps, gross: bigint): CapRefusal | null {
  const cap = refundCapOf(role, store)
  if (cap === 0n) return 'role_not_allowed'
  return cap !== null && gross > cap ? 'above_refund_cap' : null
}

/** The name in the audit log. */
export const personActor = (email: string, storeId: StoreId) => `${email} (store ${storeId})`

/** Null for an invalid address. */
export function normalizeEmail(text: string): string | null {
  const email = text.trim().toLowerCase()
  return /^[^@\s\0]+@[^@\s\0]+\.[^@\s.\0]+$/.test(email) && email.isWellFormed() ? email : null
}

/** The person without the password hash, for responses and the audit log. */
export function personFields(person: Person) {
  return {
    person_id: person.personId,
    store_id: person.storeId,
    email: person.email,
    name: person.name,
    role: person.role,
    created_at: wireTime(person.createdAt),
    disabled_at: person.disabledAt && wireTime(person.disabledAt),
    invited_at: person.invitedAt && wireTime(person.invitedAt),
  }
}
