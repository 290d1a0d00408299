import { loadOperatorWords } from '@florin/shared/words/operator/load.js'
import { createLanguage } from '../app/language.tsx'

export const { LanguageProvider, useLanguage } = createLanguage(loadOperatorWords)
