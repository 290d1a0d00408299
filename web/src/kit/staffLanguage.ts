import type { words } from '@florin/shared/words/people/en.js'
import { type Language, useWords } from './language.tsx'

export type PeopleWords = typeof words

/** The words that till and dashboard have in common. */
export const useLanguage = (): Language<PeopleWords> => useWords<PeopleWords>()
