import { useMemo, useSyncExternalStore } from 'react'

/** Where an app is, told after the `#`: `#/sandbox/payments?status=failed`. */
export type Place = { readonly path: readonly string[]; readonly query: URLSearchParams }

function subscribe(changed: () => void): () => void {
  addEventListener('hashchange', changed)
  return () => removeEventListener('hashchange', changed)
}

export function usePlace(): Place {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return useMemo(() => parsePlace(hash), [hash])
}

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
}

/** What people typed into the address need not be well formed. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function placeHref(path: readonly string[], query?: URLSearchParams): string {
  const asked = query?.toString()
  return `#/${path.map(encodeURIComponent).join('/')}${asked ? `?${asked}` : ''}`
}

/** With `isSame` the way back leads past this step: a filter that is still being typed is no page. */
export function go(href: string, { isSame = false } = {}): void {
  if (isSame) location.replace(href)
  else location.hash = href
}
