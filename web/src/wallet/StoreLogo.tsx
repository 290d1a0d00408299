import { basePath } from '../kit/request.ts'

/**
 * The logo of a store, from this service. A logo of another host is not shown: the content security policy forbids it.
 */
export function StoreLogo({ url }: { url: string }) {
  const path = /\/stores\/\d+\/logo[./].*$/.exec(url)?.[0]
  if (path === undefined) return null
  return <img className="store-logo" src={`${basePath}${path}`} alt="" width="48" height="48" />
}
