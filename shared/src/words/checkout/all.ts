import type { Locale } from '../../locales.ts'
import { type Say, speaker } from '../../say.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type CheckoutWords = typeof en

/** Every language, for the server, which renders the page in the language of the request. */
export const CHECKOUT_WORDS: Record<Locale, Say<CheckoutWords>> = {
  en: speaker<CheckoutWords>('en', en),
  es: speaker<CheckoutWords>('es', es),
  fr: speaker<CheckoutWords>('fr', fr),
  ar: speaker<CheckoutWords>('ar', ar),
  zh: speaker<CheckoutWords>('zh', zh),
}
