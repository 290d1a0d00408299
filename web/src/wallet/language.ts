import { loadWalletWords } from '@florin/shared/words/wallet/load.js'
import { createLanguage } from '../kit/language.tsx'

export const { LanguageProvider, useLanguage } = createLanguage(loadWalletWords)
