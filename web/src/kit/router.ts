import { useMemo, useSyncExternalStore } from 'react'

/** The part of the URL after the `#`, such as `#/sandbox/payments?status=failed`. */
type Route = { readonly path: readonly string[]; readonly query: URLSearchParams }

function subscribe(onChange: () => void): () => void {
  addEventListener('hashchange', onChange)
  return () => removeEventListener('hashchange', onChange)
}

export function useRoute(): Route {
  const hash = useSyncExternalStore(subscribe, () => location.hash)
  return useMemo(() => parseRoute(hash), [hash])
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?')
  return { path: path.split('/').filter(Boolean).map(decode), query: new URLSearchParams(query) }
}

/** A URL typed by hand can contain a malformed escape. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

export function routeHref(path: readonly string[], query?: URLSearchParams): string {
  const search = query?.toString()
  return `#/${path.map(encodeURIComponent).join('/')}${search ? `?${search}` : ''}`
}

/** With `replace`, the new page replaces the current one in the browser's history. */
export function navigate(hash: string, { replace = false } = {}): void {
  if (replace) location.replace(`#${hash.replace(/^#/, '')}`)
  else location.hash = hash
}
