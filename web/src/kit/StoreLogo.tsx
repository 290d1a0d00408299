import { basePath } from './request.ts'

type Props = { url: string; size?: number }

/**
 * The logo of a store, from this service. A logo of another host is not shown: the content security policy forbids it.
 */
export function StoreLogo({ url, size = 48 }: Props) {
  const path = /\/stores\/\d+\/logo[./].*$/.exec(url)?.[0]
  if (path === undefined) return null
  return <img className="store-logo" src={`${basePath}${path}`} alt="" width={size} height={size} />
}
