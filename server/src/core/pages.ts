import type { Role } from './person.ts'

/**
 * Whose dashboard has which page. The server refuses the routes behind a page to everybody else, and the
 * browser does not offer them: both read it here.
 */
export const PAGE_ROLES = {
  overview: ['owner', 'manager', 'viewer'],
  payments: ['owner', 'manager', 'cashier', 'viewer'],
  balance: ['owner', 'manager', 'viewer'],
  developers: ['owner', 'manager'],
  settings: ['owner', 'manager'],
} as const satisfies Record<string, readonly Role[]>

export type PageName = keyof typeof PAGE_ROLES

export const mayOpen = (role: Role, page: PageName): boolean =>
  (PAGE_ROLES[page] as readonly Role[]).includes(role)
