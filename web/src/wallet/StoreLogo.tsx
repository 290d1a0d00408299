/**
 * The logo of a store, from this service. A logo of another host is not shown: the content security policy forbids it.
 */
export function StoreLogo({ url }: { url: string }) {
  const path = /\/stores\/\d+\/logo[./].*$/.exec(url)?.[0]
  const base = document.documentElement.dataset.base ?? ''
  if (path === undefined) return null
  return <img className="store-logo" src={`${base}${path}`} alt="" width="48" height="48" />
}
