import { COIN } from '@florin/shared/icons.js'
import { LANGUAGE_NAMES, LOCALES, type Locale } from '@florin/shared/locales.js'
import type { Say } from '@florin/shared/say.js'
import type { words as common } from '@florin/shared/words/common/en.js'
import { type ReactNode, useEffect } from 'react'
import { Icon } from './display.tsx'
import type { Language } from './language.tsx'

/** The mark of the product; gold stands here and nowhere else. */
export function Brand({ name }: { name: string }) {
  return (
    <span className="brand">
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <circle className="brand-coin" cx="12" cy="12" r="11" />
        <path className="brand-letter" d={COIN} />
      </svg>
      {name}
    </span>
  )
}

export function SandboxRibbon({ word, note }: { word: string; note: string }) {
  return (
    <aside className="ribbon" aria-label={word}>
      <strong>{word}</strong> {note}
    </aside>
  )
}

type LanguageChoiceProps = { label: string; locale: Locale; choose: (locale: Locale) => void }

export function LanguageChoice({ label, locale, choose }: LanguageChoiceProps) {
  return (
    <label className="language">
      <Icon name="language" />
      <span className="unseen">{label}</span>
      <select value={locale} onChange={(event) => choose(event.target.value as Locale)}>
        {LOCALES.map((one) => (
          <option key={one} value={one} lang={one}>
            {LANGUAGE_NAMES[one]}
          </option>
        ))}
      </select>
    </label>
  )
}

/** An arrow towards where one came from, which turns with the direction of the language. */
export function BackLink({ href, label }: { href: string; label: string }) {
  return (
    <a className="tool" href={href} aria-label={label}>
      <span className="turns">
        <Icon name="back" />
      </span>
    </a>
  )
}

type PageProps = {
  /** The heading of the page, and what the browser's tab says. */
  title: string
  language: Language<typeof common>
  isSandbox: boolean
  /** 1120 instead of 480, for who works at a desk. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of every page of the apps: ribbon, name, language, content. */
export function Page({ title, language, isSandbox, isWide, children }: PageProps) {
  const say: Say<typeof common> = language.say
  useEffect(() => {
    document.title = `${title} · Florin`
  }, [title])
  return (
    <div className={isWide ? 'page-wide' : undefined}>
      {isSandbox && <SandboxRibbon word={say('sandbox')} note={say('sandboxNote')} />}
      <header className="page-head">
        <Brand name="Florin" />
        <LanguageChoice label={say('language')} {...language} />
      </header>
      <main className="page-main">
        <h1>{title}</h1>
        {children}
      </main>
    </div>
  )
}
