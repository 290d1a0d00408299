import { useLanguage } from './language.ts'

/** Says that a page is loading, but only after a moment (see `wallet.css`): most pages load sooner. */
export function Loading() {
  const { translate } = useLanguage()
  return <p className="page-loading">{translate('loading')}</p>
}
