import type { Role } from './person.ts'

/**
 * The roles that may open each dashboard page. The server enforces them on the routes, and the browser hides the other
 * pages.
 */
export const PAGE_ROLES = {
  overview: ['owner', 'manager', 'viewer'],
  payments: ['owner', 'manager', 'cashier', 'viewer'],
  links: ['owner', 'manager', 'cashier', 'viewer'],
  balance: ['owner', 'manager', 'viewer'],
  developers: ['owner', 'manager'],
  settings: ['owner', 'manager'],
} as const satisfies Record<string, readonly Role[]>

export type PageName = keyof typeof PAGE_ROLES

export const mayOpen = (role: Role, page: PageName): boolean =>
  (PAGE_ROLES[page] as readonly Role[]).includes(role)
