import type { LoadWords } from '../../translate.ts'
import type { words } from './en.ts'

export type DashboardWords = typeof words

export const loadDashboardWords: LoadWords<DashboardWords> = {
  en: () => import('./en.ts'),
  es: () => import('./es.ts'),
  fr: () => import('./fr.ts'),
  ar: () => import('./ar.ts'),
  zh: () => import('./zh.ts'),
}
