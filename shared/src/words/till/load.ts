import type { LoadWords } from '../../translate.ts'
import type { words } from './en.ts'

export type TillWords = typeof words

export const loadTillWords: LoadWords<TillWords> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ar: () => import('./ar.ts'),
  zh: () => import('./zh.ts'),
}
