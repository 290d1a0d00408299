import { Notice } from './display.tsx'
import { useCommonLanguage } from './language.tsx'

/** For sign-in pages: without https, browsers don't keep the cookie of a session. Most treat localhost like https, but not Safari. */
export function NeedsHttps() {
  const { translate } = useCommonLanguage()
  if (isSecureContext && KEEPS_SECURE_COOKIES) return null
  return (
    <Notice tone="failed" role="alert">
      {translate(isSecureContext ? 'needsOtherBrowser' : 'needsHttps')}
    </Notice>
  )
}

const KEEPS_SECURE_COOKIES = location.protocol === 'https:' || keepsSecureCookie()

function keepsSecureCookie(): boolean {
  const cookie = 'florin_test=1; path=/; secure; samesite=strict'
  // biome-ignore lint/suspicious/noDocumentCookie: Safari has no Cookie Store API before version 18.4.
  document.cookie = cookie
  const isKept = document.cookie.includes('florin_test=1')
  // biome-ignore lint/suspicious/noDocumentCookie: see above.
  document.cookie = `${cookie}; max-age=0`
  return isKept
}
