import type { Locale } from '../../locales.ts'
import { createTranslate, type Translate } from '../../translate.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

type MailWords = typeof en

/** Every language, for the server, which writes the emails. */
export const MAIL_WORDS: Record<Locale, Translate<MailWords>> = {
  en: createTranslate<MailWords>('en', en),
  es: createTranslate<MailWords>('es', es),
  fr: createTranslate<MailWords>('fr', fr),
  ar: createTranslate<MailWords>('ar', ar),
  zh: createTranslate<MailWords>('zh', zh),
}
