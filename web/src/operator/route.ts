import { navigate, routeHref, useRoute } from '../kit/router.ts'

export type PageName =
  | 'overview'
  | 'stores'
  | 'people'
  | 'wallets'
  | 'rates'
  | 'balances'
  | 'webhooks'
  | 'mail'
  | 'ledger'
  | 'health'
  | 'log'

/** The rest of the address after the page's name: `#/stores/1/keys` has an id and a part. */
export type PageProps = { readonly id: string; readonly part: string }

export const hrefTo = (page: PageName, ...rest: string[]) => routeHref([page, ...rest])

/** The page, what it shows, and its filters. All are in the address, so links keep them. */
export function useOperatorRoute() {
  const { path, query } = useRoute()
  const [page = 'overview', id = '', part = ''] = path
  return { page, id, part, query }
}

/** Opens a page with these filters. Empty ones are left out. */
export function filterPage(page: PageName, filters: Readonly<Record<string, string>>): void {
  const query = Object.entries(filters).filter(([, value]) => value !== '')
  navigate(routeHref([page], new URLSearchParams(query)), { replace: true })
}
