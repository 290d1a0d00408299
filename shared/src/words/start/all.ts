import type { Locale } from '../../locales.ts'
import { createSay, type Say } from '../../say.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type StartWords = typeof en

/** Every language, for the server, which renders the page in the language of the request. */
export const START_WORDS: Record<Locale, Say<StartWords>> = {
  en: createSay<StartWords>('en', en),
  es: createSay<StartWords>('es', es),
  fr: createSay<StartWords>('fr', fr),
  ar: createSay<StartWords>('ar', ar),
  zh: createSay<StartWords>('zh', zh),
}
