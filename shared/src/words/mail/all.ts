import type { Locale } from '../../locales.ts'
import { createSay, type Say } from '../../say.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type MailWords = typeof en

/** Every language, for the server, which writes an email in the language of its recipient. */
export const MAIL_WORDS: Record<Locale, Say<MailWords>> = {
  en: createSay<MailWords>('en', en),
  es: createSay<MailWords>('es', es),
  fr: createSay<MailWords>('fr', fr),
  ar: createSay<MailWords>('ar', ar),
  zh: createSay<MailWords>('zh', zh),
}
