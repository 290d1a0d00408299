import { loadOperatorWords } from '@florin/shared/words/operator/load.js'
import { createLanguage } from '../kit/language.tsx'

export const { LanguageProvider, useLanguage } = createLanguage(loadOperatorWords)
