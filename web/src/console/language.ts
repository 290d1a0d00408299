import type { words } from '@florin/shared/words/console/en.js'
import { type Language, useWords } from '../app/language.tsx'
import type { PeopleWords } from '../people/language.ts'

type ConsoleWords = PeopleWords & typeof words

/** Of every app that stands on these parts: its words hold those of `people` and of `console`. */
export const useLanguage = (): Language<ConsoleWords> => useWords<ConsoleWords>()
