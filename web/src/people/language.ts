import type { words } from '@florin/shared/words/staff/en.js'
import { type Language, useWords } from '../app/language.tsx'

export type PeopleWords = typeof words

/** The words that till and dashboard have in common. */
export const useLanguage = (): Language<PeopleWords> => useWords<PeopleWords>()
