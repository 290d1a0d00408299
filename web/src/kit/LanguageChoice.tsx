import { LANGUAGE_NAMES, LOCALES, type Locale } from '@florin/shared/locales.js'
import { Icon } from './Icon.tsx'

type Props = { label: string; locale: Locale; choose: (locale: Locale) => void }

export function LanguageChoice({ label, locale, choose }: Props) {
  return (
    <label className="language">
      <Icon name="language" />
      <span className="unseen">{label}</span>
      <select value={locale} onChange={(event) => choose(event.target.value as Locale)}>
        {LOCALES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  )
}
