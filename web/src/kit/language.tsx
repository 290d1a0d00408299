import { directionOf, type Locale, localeOf } from '@florin/shared/locales.js'
import {
  createTranslate,
  isolate,
  type LoadWords,
  type Translate,
  type Translation,
  type Words,
} from '@florin/shared/translate.js'
import type { DashboardWords } from '@florin/shared/words/dashboard/load.js'
import type { OperatorWords } from '@florin/shared/words/operator/load.js'
import type { TillWords } from '@florin/shared/words/till/load.js'
import type { WalletWords } from '@florin/shared/words/wallet/load.js'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'
import { storedText } from './storage.ts'

type Language<Source extends Words> = {
  readonly locale: Locale
  readonly translate: Translate<Source>
  readonly choose: (locale: Locale) => void
}

/** The words that both consoles have: dashboard and operator. */
type ConsoleWords = Pick<DashboardWords, keyof DashboardWords & keyof OperatorWords>
/** The words that all apps with a staff sign-in have: till, dashboard and operator. */
export type StaffWords = Pick<TillWords, keyof TillWords & keyof ConsoleWords>
/** The words that all apps have. */
export type CommonWords = Pick<WalletWords, keyof WalletWords & keyof StaffWords>

/** The words that both apps with a keypad have: wallet and till. */
type KeypadWords = Pick<WalletWords, keyof WalletWords & keyof TillWords>

/** Shown if the words or a part of the page don't load. */
const RELOAD: Record<Locale, { readonly message: string; readonly retry: string }> = {
  en: { message: 'The page did not load.', retry: 'Try again' },
  es: { message: 'La página no se cargó.', retry: 'Intentar de nuevo' },
  fr: { message: 'La page ne s’est pas chargée.', retry: 'Réessayer' },
  ar: { message: 'لم تُحمَّل الصفحة.', retry: 'حاول مرة أخرى' },
  zh: { message: '页面未能加载。', retry: '重试' },
}

const chosenLocale = storedText('florin.language')

// One context for all apps: shared components use the words of the app around them.
const Context = createContext<unknown>(null)

function useLanguage<Source extends Words>(): Language<Source> {
  const language = useContext(Context)
  if (language === null) throw new Error('useLanguage needs a LanguageProvider')
  return language as Language<Source>
}

export const useCommonLanguage = useLanguage<CommonWords>
export const useKeypadLanguage = useLanguage<KeypadWords>
export const useStaffLanguage = useLanguage<StaffWords>
export const useConsoleLanguage = useLanguage<ConsoleWords>

/** The language of one app: a provider that loads one language at a time, and a hook. */
export function createLanguage<Source extends Words>(load: LoadWords<Source>) {
  function LanguageProvider({ children }: { children: ReactNode }) {
    // An object, so that choosing a language again retries a failed load.
    const [wanted, setWanted] = useState(() => ({ locale: initialLocale() }))
    const [shown, setShown] = useState<{ locale: Locale; translate: Translate<Source> } | null>(
      null,
    )
    const [hasFailed, setFailed] = useState(false)
    useEffect(() => {
      const { locale } = wanted
      let isCurrent = true
      const show = ({ words }: { words: Translation<Source> }) => {
        // The user may have chosen another language during the load.
        if (!isCurrent) return
        document.documentElement.lang = locale
        const direction = directionOf(locale)
        document.documentElement.dir = direction
        const formatValue = direction === 'rtl' ? isolate : undefined
        setShown({ locale, translate: createTranslate<Source>(locale, words, formatValue) })
      }
      load[locale]().then(show, () => setFailed(true))
      return () => {
        isCurrent = false
      }
    }, [wanted])
    if (shown === null) {
      return hasFailed ? <ReloadPage locale={wanted.locale} /> : null
    }
    const choose = (locale: Locale) => {
      chosenLocale.set(locale)
      setWanted({ locale })
    }
    return <Context value={{ ...shown, choose }}>{children}</Context>
  }

  return { LanguageProvider, useLanguage: useLanguage<Source> }
}

/** A page with a message and a button that reloads it. */
export const ReloadPage = ({ locale }: { locale: Locale }) => (
  <main className="reload">
    <p role="alert">{RELOAD[locale].message}</p>
    <button type="button" className="button" onClick={() => location.reload()}>
      {RELOAD[locale].retry}
    </button>
  </main>
)

/** The user's own choice, or the language that the server negotiated with the browser. */
export const initialLocale = (): Locale =>
  localeOf(chosenLocale.get() ?? document.documentElement.lang) ?? 'en'
