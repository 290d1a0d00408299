import { useLanguage } from './language.ts'

type Props = { url: string | null; isQuiet?: boolean }

/** The link back to the shop, if the payment has one. It sends no Referer. */
export function BackToShop({ url, isQuiet = false }: Props) {
  const { translate } = useLanguage()
  if (url === null) return null
  return (
    <a
      className={`button button-wide${isQuiet ? ' button-quiet' : ''}`}
      href={url}
      rel="noreferrer"
    >
      {translate('backToShop')}
    </a>
  )
}
