import type { PageName } from '@florin/server/core/pages.js'
import { go, placeHref, usePlace } from '../kit/router.ts'
import type { Mode } from '../kit/store/payment.ts'

type Query = Readonly<Record<string, string | null>>

/** Mode, page, what the page shows, and its filters: all in the address, so that a link shows the same. */
export function useDashboardPlace() {
  const { path, query } = usePlace()
  const [first, page = '', id = ''] = path
  const mode: Mode = first === 'sandbox' ? 'sandbox' : 'live'
  return {
    mode,
    page,
    id,
    query,
    hrefTo: (to: PageName, toId?: string, filters: Query = {}) =>
      placeHref(
        [mode, to, ...(toId === undefined ? [] : [toId])],
        changed(new URLSearchParams(), filters),
      ),
    /** The same page in the other mode; an id of one mode means nothing in the other. */
    setMode: (next: Mode) => go(placeHref([next, page].filter(Boolean))),
    /** Null takes a filter away. */
    setQuery: (filters: Query) =>
      go(placeHref([mode, page, id].filter(Boolean), changed(query, filters)), { isSame: true }),
  }
}

function changed(query: URLSearchParams, filters: Query): URLSearchParams {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(filters)) {
    if (value === null || value === '') next.delete(name)
    else next.set(name, value)
  }
  return next
}
