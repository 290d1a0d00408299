import type { Locale } from '../../locales.ts'
import { createSay, type Say } from '../../say.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type CheckoutWords = typeof en

/** Every language, for the server, which renders the page in the language of the request. */
export const CHECKOUT_WORDS: Record<Locale, Say<CheckoutWords>> = {
  en: createSay<CheckoutWords>('en', en),
  es: createSay<CheckoutWords>('es', es),
  fr: createSay<CheckoutWords>('fr', fr),
  ar: createSay<CheckoutWords>('ar', ar),
  zh: createSay<CheckoutWords>('zh', zh),
}
