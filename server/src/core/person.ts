import { wireTime } from './calendar.ts'
import { SCOPES, type Scope } from './credentials.ts'
import type { StoreId } from './ids.ts'
import type { Store } from './store.ts'

export const ROLES = ['owner', 'manager', 'cashier', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** Somebody who works for a store. */
export type Person = {
  readonly personId: string
  readonly storeId: StoreId
  readonly email: string
  readonly name: string
  readonly role: Role
  readonly passwordHash: string
  readonly createdAt: Date
  readonly disabledAt: Date | null
}

type RefundCaps = Pick<Store, 'refundCapManagerMinor' | 'refundCapCashierMinor'>

/** The largest gross that a role may refund; null for any. */
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

/** In the words of an API key's scopes. A role that may refund nothing may not refund. */
export function scopesOf(role: Role, store: RefundCaps): readonly Scope[] {
  const refunds = refundCapOf(role, store) !== 0n
  return SCOPES.filter((scope) => {
    if (scope === 'create') return role !== 'viewer'
    return scope !== 'refund' || refunds
  })
}

const NO_CAPS: RefundCaps = { refundCapManagerMinor: null, refundCapCashierMinor: null }

/** Who may ask for a route of the store that declares these; caps on refunds may still say no. */
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

/** Exactly at the cap is still within it. */
export function capRefusal(role: Role, store: RefundCaps, gross: bigint): CapRefusal | null {
  const cap = refundCapOf(role, store)
  if (cap === 0n) return 'role_not_allowed'
  return cap !== null && gross > cap ? 'above_refund_cap' : null
}

/** One spelling for each address; null for what is none. */
export function normaliseEmail(text: string): string | null {
  const email = text.trim().toLowerCase()
  return /^[^@\s\0]+@[^@\s\0]+\.[^@\s.\0]+$/.test(email) && email.isWellFormed() ? email : null
}

/** Everything about a person that may be shown: never the hash. */
export function personFields(person: Person) {
  return {
    person_id: person.personId,
    store_id: person.storeId as number,
    email: person.email,
    name: person.name,
    role: person.role,
    created_at: wireTime(person.createdAt),
    disabled_at: person.disabledAt && wireTime(person.disabledAt),
  }
}
