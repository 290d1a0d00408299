import type { Locale } from '../../locales.ts'
import { type Say, speaker } from '../../say.ts'
import { words as ar } from './ar.ts'
import { words as en } from './en.ts'
import { words as es } from './es.ts'
import { words as fr } from './fr.ts'
import { words as zh } from './zh.ts'

export type MailWords = typeof en

/** Every language, for the server, which writes a mail in the language of its recipient. */
export const MAIL_WORDS: Record<Locale, Say<MailWords>> = {
  en: speaker<MailWords>('en', en),
  es: speaker<MailWords>('es', es),
  fr: speaker<MailWords>('fr', fr),
  ar: speaker<MailWords>('ar', ar),
  zh: speaker<MailWords>('zh', zh),
}
