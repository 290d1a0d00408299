import type { words } from '@florin/shared/words/console/en.js'
import { type Language, useWords } from '../language.tsx'
import type { PeopleWords } from '../staffLanguage.ts'

type ConsoleWords = PeopleWords & typeof words

/** Of every app that stands on these parts: its words hold those of `people` and of `console`. */
export const useLanguage = (): Language<ConsoleWords> => useWords<ConsoleWords>()
