import type { Locale } from '../../locales.ts'
import { createTranslate, type Translate } from '../../translate.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type StartWords = typeof en

/** Every language, for the server, which renders the page in the language of the request. */
export const START_WORDS: Record<Locale, Translate<StartWords>> = {
  en: createTranslate<StartWords>('en', en),
  es: createTranslate<StartWords>('es', es),
  fr: createTranslate<StartWords>('fr', fr),
  ar: createTranslate<StartWords>('ar', ar),
  zh: createTranslate<StartWords>('zh', zh),
}
