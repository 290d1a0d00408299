import type { LoadWords } from '../../translate.ts'
import type { words } from './en.ts'

export type OperatorWords = typeof words

export const loadOperatorWords: LoadWords<OperatorWords> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ar: () => import('./ar.ts'),
  zh: () => import('./zh.ts'),
}
