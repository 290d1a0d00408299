import { go, placeHref, usePlace } from '../kit/router.ts'

export type PageName =
  | 'overview'
  | 'stores'
  | 'people'
  | 'wallets'
  | 'rates'
  | 'balances'
  | 'webhooks'
  | 'ledger'
  | 'health'
  | 'log'

type Query = Readonly<Record<string, string>>

export const hrefTo = (page: PageName, ...rest: string[]) => placeHref([page, ...rest])

/** A page with its filters. */
export const hrefWith = (page: PageName, query: Query) =>
  placeHref([page], new URLSearchParams(Object.entries(query).filter(([, value]) => value !== '')))

/** Page, what it shows, and its filters: all in the address, so that a link shows the same. */
export function useOperatorPlace() {
  const { path, query } = usePlace()
  const [page = 'overview', id = '', part = ''] = path
  return { page, id, part, query }
}

export const search = (page: PageName, query: Query) => go(hrefWith(page, query), { isSame: true })

/** What stands behind a page's name in the address: `#/stores/1/keys` has an id and a part. */
export type PageProps = { readonly id: string; readonly part: string }
