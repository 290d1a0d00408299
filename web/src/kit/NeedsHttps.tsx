import { Notice } from './display.tsx'
import { useCommonLanguage } from './language.tsx'

/** For sign-in pages: without https, browsers don't keep the cookie of a session. They treat localhost like https. */
export function NeedsHttps() {
  const { translate } = useCommonLanguage()
  if (isSecureContext) return null
  return (
    <Notice tone="failed" role="alert">
      {translate('needsHttps')}
    </Notice>
  )
}
