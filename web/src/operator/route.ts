import { navigate, routeHref, useRoute } from '../kit/router.ts'

export type PageName =
  | 'overview'
  | 'stores'
  | 'payments'
  | 'people'
  | 'wallets'
  | 'rates'
  | 'balances'
  | 'approvals'
  | 'webhooks'
  | 'mail'
  | 'ledger'
  | 'health'
  | 'log'
  | 'tokens'
  | 'security'

/** The rest of the URL after the page's name: `#/stores/1/payments/pay_…` has an id, a part and an item. */
export type PageProps = { readonly id: string; readonly part: string; readonly item: string }

export const hrefTo = (page: PageName, ...rest: string[]) => routeHref([page, ...rest])

/** The page, what it shows, and its filters. All are in the URL, so that a reload or a copied URL shows the same. */
export function useOperatorRoute() {
  const { path, query } = useRoute()
  const [page = 'overview', id = '', part = '', item = ''] = path
  return { page, id, part, item, query }
}

/** Opens a page with these filters. Empty ones are left out. `rest` is its id and part. */
export function filterPage(
  page: PageName,
  filters: Readonly<Record<string, string>>,
  ...rest: string[]
): void {
  const query = Object.entries(filters).filter(([, value]) => value !== '')
  navigate(routeHref([page, ...rest], new URLSearchParams(query)), { replace: true })
}

/** The filters of a page, as the form shows them and as the API reads them. */
export function usePageFilters<Name extends string>(names: readonly Name[]) {
  const { query } = useOperatorRoute()
  const filters = Object.fromEntries(names.map((name) => [name, query.get(name) ?? ''])) as Record<
    Name,
    string
  >
  const apiQuery = new URLSearchParams({ limit: '50' })
  for (const name of names) {
    const text = filters[name]
    if (text !== '') apiQuery.set(name, name === 'from' || name === 'to' ? toUtc(text) : text)
  }
  return { filters, apiQuery, key: query.toString() }
}

/** The browser's field has local time, the API has UTC. */
const toUtc = (local: string) => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? local : at.toISOString()
}
