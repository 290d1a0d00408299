import type { Locale } from '../../locales.ts'
import type { Translation } from '../../translate.ts'
import type { words } from './en.ts'

export type TillWords = typeof words

/** One file per language, so that a browser loads only the one it shows. */
export const loadTillWords: Record<Locale, () => Promise<{ words: Translation<TillWords> }>> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ar: () => import('./ar.ts'),
  zh: () => import('./zh.ts'),
}
