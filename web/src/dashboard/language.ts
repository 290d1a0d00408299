import { loadDashboardWords } from '@florin/shared/words/dashboard/load.js'
import { createLanguage } from '../kit/language.tsx'

export const { LanguageProvider, useLanguage } = createLanguage(loadDashboardWords)
