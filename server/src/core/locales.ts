import { type Locale, localeOf } from '@florin/shared/locales.js'

/** The best supported language for an Accept-Language header, or English. */
export function preferredLocale(header: string | undefined): Locale {
  const languages = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag, ...params] = part.trim().split(';')
      const quality = params
        .map((param) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(param)?.[1])
        .find(Boolean)
      return { locale: localeOf(tag ?? ''), quality: quality === undefined ? 1 : Number(quality) }
    })
    .filter(({ locale, quality }) => locale !== null && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  return languages[0]?.locale ?? 'en'
}
