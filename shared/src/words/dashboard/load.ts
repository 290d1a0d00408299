import type { Locale } from '../../locales.ts'
import type { Translation } from '../../translate.ts'
import type { words } from './en.ts'

export type DashboardWords = typeof words

/** One file per language, so that a browser loads only the one it shows. */
export const loadDashboardWords: Record<
  Locale,
  () => Promise<{ words: Translation<DashboardWords> }>
> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ar: () => import('./ar.ts'),
  zh: () => import('./zh.ts'),
}
