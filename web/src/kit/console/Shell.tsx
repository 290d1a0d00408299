import '../styles/staff.css'
import '../styles/console.css'
import type { IconName } from '@florin/shared/icons.js'
import type { ReactNode } from 'react'
import { Icon } from '../display.tsx'
import { useHeading } from '../heading.ts'
import { BackLink, Brand, SandboxRibbon } from '../Page.tsx'
import { useLanguage } from './language.ts'

export type RailItem = {
  readonly href: string
  readonly label: string
  readonly icon: IconName
  readonly isCurrent: boolean
}

type ShellProps = {
  /** Whose pages these are: a store, or the service itself. */
  owner: string
  isSandbox?: boolean
  items: readonly RailItem[]
  /** At the end of the head: the mode, the account. */
  tools: ReactNode
  children: ReactNode
}

/** The frame for who works at a desk: pages on a rail, which a phone has at its lower edge. */
export function Shell({ owner, isSandbox = false, items, tools, children }: ShellProps) {
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

type PageFrameProps = {
  title: string
  /** Where the arrow leads; a page of the rail has none. */
  back?: string
  /** At the end of the heading's line; one primary action at most. */
  actions?: ReactNode
  children: ReactNode
}

/** The heading of a page and what can be done there, then the page. */
export function PageFrame({ title, back, actions, children }: PageFrameProps) {
  const { say } = useLanguage()
  const heading = useHeading(title)
  return (
    <>
      <div className="page-title">
        {back !== undefined && <BackLink href={back} label={say('back')} />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}

export type Tab = { readonly href: string; readonly label: string; readonly isCurrent: boolean }

/** The parts of one page; each has an address of its own. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  )
}
