import type { Locale } from '../../locales.ts'
import { type Say, speaker } from '../../say.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type StartWords = typeof en

/** Every language, for the server, which renders the page in the language of the request. */
export const START_WORDS: Record<Locale, Say<StartWords>> = {
  en: speaker<StartWords>('en', en),
  es: speaker<StartWords>('es', es),
  fr: speaker<StartWords>('fr', fr),
  ar: speaker<StartWords>('ar', ar),
  zh: speaker<StartWords>('zh', zh),
}
