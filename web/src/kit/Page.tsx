import { COIN_LETTER } from '@florin/shared/icons.js'
import { LANGUAGE_NAMES, LOCALES, type Locale } from '@florin/shared/locales.js'
import { type ReactNode, useEffect, useRef } from 'react'
import { Icon } from './display.tsx'
import { useCommonLanguage } from './language.tsx'

/** The logo and the name of the product. */
export function Brand() {
  return (
    <span className="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle className="brand-coin" cx="12" cy="12" r="11" />
        <path className="brand-letter" d={COIN_LETTER} />
      </svg>
      Florin
    </span>
  )
}

export function SandboxRibbon() {
  const { translate } = useCommonLanguage()
  return (
    <aside className="ribbon" aria-label={translate('sandbox')}>
      <strong>{translate('sandbox')}</strong> {translate('sandboxNote')}
    </aside>
  )
}

export function LanguageSelect() {
  const { translate, locale, choose } = useCommonLanguage()
  return (
    <label className="language">
      <Icon name="language" />
      <span className="visually-hidden">{translate('language')}</span>
      <select value={locale} onChange={(event) => choose(event.target.value as Locale)}>
        {LOCALES.map((option) => (
          <option key={option} value={option} lang={option}>
            {LANGUAGE_NAMES[option]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A link with an arrow, which is mirrored in right-to-left languages. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <a className="tool" href={href} aria-label={label}>
      <span className="mirrored-in-rtl">
        <Icon name="back" />
      </span>
    </a>
  )
}

let isFirstScreen = true

/**
 * Sets the title of the browser's tab. Focuses the heading, so that a screen reader announces the new screen. The first
 * screen needs no focus, because a screen reader reads a page that has just loaded.
 */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useDocumentTitle(title)
  useEffect(() => {
    if (!isFirstScreen) heading.current?.focus()
    isFirstScreen = false
  }, [])
  return heading
}

export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · Florin`
  }, [title])
}

type Props = {
  /** The heading, also shown in the browser's tab. */
  title: string
  isSandbox: boolean
  children: ReactNode
}

/** The frame of the wallet, except its scanner, and of pages before a staff app opens: ribbon, brand, language, content. */
export function Page({ title, isSandbox, children }: Props) {
  useDocumentTitle(title)
  useEffect(() => {
    // The screen after this page must focus its heading, because the focused button is gone.
    isFirstScreen = false
  }, [])
  return (
    <div>
      {isSandbox && <SandboxRibbon />}
      <header className="page-head">
        <Brand />
        <LanguageSelect />
      </header>
      <main className="page-main">
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}
