import { useLanguage } from './language.ts'

/** Shown while a page loads, after a moment: most pages load before anyone could read it. */
export function Loading() {
  const { translate } = useLanguage()
  return <p className="page-loading">{translate('loading')}</p>
}
