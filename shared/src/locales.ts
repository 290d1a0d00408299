export const LOCALES = ['en', 'es', 'fr', 'ar', 'zh'] as const
export type Locale = (typeof LOCALES)[number]

/** Each name is in its own language, because a reader may not understand the language shown. */
export const LANGUAGE_NAMES: Record<Locale, string> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  ar: 'العربية',
  zh: '中文',
}

export function localeOf(tag: string): Locale | null {
  const language = tag.trim().toLowerCase().split('-')[0]
  return LOCALES.find((locale) => locale === language) ?? null
}

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return locale === 'ar' ? 'rtl' : 'ltr'
}
