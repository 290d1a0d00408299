import '../styles/staff.css'
import '../styles/console.css'
import type { IconName } from '@florin/shared/icons.js'
import type { ReactNode } from 'react'
import { Brand } from '../Brand.tsx'
import { Icon } from '../Icon.tsx'
import { SandboxRibbon } from '../SandboxRibbon.tsx'
import { useLanguage } from './language.ts'

export type RailItem = {
  readonly href: string
  readonly label: string
  readonly icon: IconName
  readonly isCurrent: boolean
}

type Props = {
  /** Whose pages these are: a store, or the service itself. */
  owner: string
  isSandbox?: boolean
  items: readonly RailItem[]
  /** At the end of the head: the mode, the account. */
  tools: ReactNode
  children: ReactNode
}

/** The frame for who works at a desk: pages on a rail, which a phone has at its lower edge. */
export function Shell({ owner, isSandbox = false, items, tools, children }: Props) {
  const { say } = useLanguage()
  return (
    <div className={isSandbox ? 'shell shell-sandbox' : 'shell'}>
      {isSandbox && <SandboxRibbon word={say('sandbox')} note={say('sandboxNote')} />}
      <header className="shell-head">
        <Brand name="Florin" />
        <span className="shell-owner" dir="auto">
          {owner}
        </span>
        {tools}
      </header>
      <div className="shell-body">
        <nav className="rail" aria-label={say('pages')}>
          <ul>
            {items.map(({ href, label, icon, isCurrent }) => (
              <li key={href}>
                <a href={href} aria-current={isCurrent ? 'page' : undefined}>
                  <Icon name={icon} />
                  <span>{label}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <main className="shell-main">{children}</main>
      </div>
    </div>
  )
}
