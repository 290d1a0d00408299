import type { Locale } from '../../locales.ts'
import { createTranslate, type Translate } from '../../translate.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type CheckoutWords = typeof en

/** Every language, for the server, which writes checkout pages and payment instructions. */
export const CHECKOUT_WORDS: Record<Locale, Translate<CheckoutWords>> = {
  en: createTranslate<CheckoutWords>('en', en),
  es: createTranslate<CheckoutWords>('es', es),
  fr: createTranslate<CheckoutWords>('fr', fr),
  ar: createTranslate<CheckoutWords>('ar', ar),
  zh: createTranslate<CheckoutWords>('zh', zh),
}
