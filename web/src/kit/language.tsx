import { directionOf, type Locale, localeOf } from '@florin/shared/locales.js'
import { type Say, speaker, type Translation, type Words } from '@florin/shared/say.js'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

export type Language<Source extends Words> = {
  readonly locale: Locale
  readonly say: Say<Source>
  readonly choose: (locale: Locale) => void
}

type Load<Source extends Words> = Record<
  Locale,
  () => Promise<{ readonly words: Translation<Source> }>
>

const KEPT = 'florin.language'

// One for every app, so that a part that several of them share speaks the language of the one around it.
const Context = createContext<unknown>(null)

/** For parts that several apps share: `Source` stands in the words of each of them. */
export function useWords<Source extends Words>(): Language<Source> {
  const language = useContext(Context)
  if (language === null) throw new Error('useLanguage needs a LanguageProvider around it')
  return language as Language<Source>
}

/** What an app needs to speak: a provider that loads one language at a time, and a hook. */
export function createLanguage<Source extends Words>(load: Load<Source>) {
  function LanguageProvider({ children }: { children: ReactNode }) {
    const [wanted, setWanted] = useState(firstLocale)
    const [shown, setShown] = useState<{ locale: Locale; say: Say<Source> } | null>(null)
    useEffect(() => {
      let isCurrent = true
      void load[wanted]().then(({ words }) => {
        // Somebody may have chosen yet another one while this was on its way.
        if (!isCurrent) return
        document.documentElement.lang = wanted
        document.documentElement.dir = directionOf(wanted)
        setShown({ locale: wanted, say: speaker<Source>(wanted, words) })
      })
      return () => {
        isCurrent = false
      }
    }, [wanted])
    if (shown === null) return null
    const choose = (locale: Locale) => {
      keep(locale)
      setWanted(locale)
    }
    return <Context value={{ ...shown, choose }}>{children}</Context>
  }

  return { LanguageProvider, useLanguage: useWords<Source> }
}

/** What was chosen by hand, else what the server found the browser to prefer. */
function firstLocale(): Locale {
  return localeOf(kept() ?? document.documentElement.lang) ?? 'en'
}

// A browser may forbid storing; the choice then lasts as long as the page.
function kept(): string | null {
  try {
    return localStorage.getItem(KEPT)
  } catch {
    return null
  }
}

function keep(locale: Locale): void {
  try {
    localStorage.setItem(KEPT, locale)
  } catch {}
}
