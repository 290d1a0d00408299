import { loadTillWords } from '@florin/shared/words/till/load.js'
import { createLanguage } from '../kit/language.tsx'

export const { LanguageProvider, useLanguage } = createLanguage(loadTillWords)
