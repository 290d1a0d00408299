import { basePath } from './request.ts'

type Props = { url: string; size?: number; storeId?: number }

/**
 * The logo of a store, from this service. A logo of another host is not shown, because the content security policy forbids
 * it. With `storeId`, the default logo is shown instead.
 */
export function StoreLogo({ url, size = 48, storeId }: Props) {
  const defaultPath = storeId === undefined ? undefined : `/stores/${storeId}/logo.svg`
  const path = /\/stores\/\d+\/logo[./].*$/.exec(url)?.[0] ?? defaultPath
  if (path === undefined) return null
  return <img className="store-logo" src={`${basePath}${path}`} alt="" width={size} height={size} />
}
