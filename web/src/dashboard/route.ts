import type { Mode } from '@florin/server/core/ids.js'
import type { PageName } from '@florin/server/core/pages.js'
import { navigate, routeHref, useRoute } from '../kit/router.ts'

/** Pages whose ids belong to one mode. Elsewhere the id is a tab or a day. */
const PAGES_WITH_IDS = ['payments', 'links']

type Filters = Readonly<Record<string, string | null>>

/** The mode, the page, what the page shows, and its filters. All are in the URL, so that a reload or a copied URL shows the same. */
export function useDashboardRoute() {
  const { path, query } = useRoute()
  const [first, page = '', id = ''] = path
  const mode: Mode = first === 'sandbox' ? 'sandbox' : 'live'
  function setQuery(filters: Filters): void {
    const href = routeHref([mode, page, id].filter(Boolean), withFilters(query, filters))
    navigate(href, { replace: true })
  }
  return {
    mode,
    page,
    id,
    query,
    hrefTo: (toPage: PageName, toId?: string, filters: Filters = {}) =>
      routeHref(
        toId === undefined ? [mode, toPage] : [mode, toPage, toId],
        withFilters(new URLSearchParams(), filters),
      ),
    /** Opens the same page in another mode, without the filters. */
    setMode: (next: Mode) =>
      navigate(routeHref([next, page, PAGES_WITH_IDS.includes(page) ? '' : id].filter(Boolean))),
    /** Null and empty text remove a filter. */
    setQuery,
    /** The props of a field whose value is a filter. */
    filterField: (name: string) => ({
      value: query.get(name) ?? '',
      onChange: (text: string) => setQuery({ [name]: text.trim() }),
    }),
  }
}

function withFilters(query: URLSearchParams, filters: Filters): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(filters)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
