import { loadWalletWords } from '@florin/shared/words/wallet/load.js'
import { createLanguage } from '../app/language.tsx'

export const { LanguageProvider, useLanguage } = createLanguage(loadWalletWords)
