import type { Say } from '@florin/shared/say.js'
import type { words as common } from '@florin/shared/words/common/en.js'
import { type ReactNode, useEffect } from 'react'
import { Brand } from './Brand.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import type { Language } from './language.tsx'
import { SandboxRibbon } from './SandboxRibbon.tsx'

type Props = {
  /** The heading of the page, and what the browser's tab says. */
  title: string
  language: Language<typeof common>
  isSandbox: boolean
  /** 1120 instead of 480, for who works at a desk. */
  isWide?: boolean
  children: ReactNode
}

/** The frame of every page of the apps: ribbon, name, language, content. */
export function Page({ title, language, isSandbox, isWide, children }: Props) {
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
