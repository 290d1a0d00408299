import '../styles/staff.css'
import '../styles/shell.css'
import '../styles/console.css'
import '../styles/actions.css'
import '../styles/tables.css'
import { type ReactNode, useState } from 'react'
import { Button } from '../controls.tsx'
import { Dialog } from '../Dialog.tsx'
import { type Fact, Facts, Icon } from '../display.tsx'
import { useConsoleLanguage } from '../language.tsx'
import { BackLink, Brand, LanguageSelect, SandboxRibbon, useHeading } from '../Page.tsx'
import { ProblemNote } from '../problems.tsx'
import type { Problem } from '../request.ts'
import { useLostFocus } from './lostFocus.ts'
import { Navigation, type NavigationItem } from './Navigation.tsx'
import { useScrollToCurrent } from './scrollToCurrent.ts'

type ShellProps = {
  /** The store, or the name of the console. */
  owner: string
  isSandbox?: boolean
  items: readonly NavigationItem[]
  /** The controls at the end of the header, such as the account menu. */
  tools: ReactNode
  children: ReactNode
}

/** The frame of a console. */
export function Shell({ owner, isSandbox = false, items, tools, children }: ShellProps) {
  useLostFocus()
  return (
    <div className={isSandbox ? 'shell shell-sandbox' : 'shell'}>
      <SkipButton />
      {isSandbox && <SandboxRibbon />}
      <header className="shell-head">
        <Brand />
        <span className="shell-owner">
          <bdi>{owner}</bdi>
        </span>
        {tools}
      </header>
      <div className="shell-body">
        <Navigation items={items} />
        <main className="shell-main">{children}</main>
      </div>
    </div>
  )
}

/** The first stop of the Tab key, invisible without the focus. Not a link to a fragment: that is the route. */
function SkipButton() {
  const { translate } = useConsoleLanguage()
  return (
    <button
      type="button"
      className="button skip"
      onClick={() => document.querySelector<HTMLElement>('.shell-main h1')?.focus()}
    >
      {translate('skipToContent')}
    </button>
  )
}

type PageFrameProps = {
  title: string
  /** The target of the back arrow. Pages in the navigation have none. */
  back?: string
  /** The buttons beside the heading. At most one is primary. */
  actions?: ReactNode
  children: ReactNode
}

export function PageFrame({ title, back, actions, children }: PageFrameProps) {
  const { translate } = useConsoleLanguage()
  const heading = useHeading(title)
  return (
    <>
      <div className="page-title">
        {back !== undefined && <BackLink href={back} label={translate('back')} />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}

type Tab = { readonly href: string; readonly label: string; readonly isCurrent: boolean }

/** The parts of a page. Each has its own URL. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  const row = useScrollToCurrent<HTMLElement>(tabs.find(({ isCurrent }) => isCurrent)?.href)
  return (
    <nav ref={row} className="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} aria-current={tab.isCurrent ? 'page' : undefined}>
          {tab.label}
        </a>
      ))}
    </nav>
  )
}

type AccountMenuProps = {
  facts: readonly Fact[]
  signOut: () => Promise<Problem | null>
  /** Shown above the button to sign out. */
  links: readonly { readonly href: string; readonly label: string }[]
}

/** The signed-in account, the language, and the button to sign out. */
export function AccountMenu({ facts, signOut, links }: AccountMenuProps) {
  const { translate } = useConsoleLanguage()
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState<Problem | null>(null)
  const title = translate('yourAccount')
  return (
    <>
      <button type="button" className="tool" aria-label={title} onClick={() => setOpen(true)}>
        <Icon name="person" />
      </button>
      <Dialog title={title} isOpen={isOpen} onClose={() => setOpen(false)}>
        <Facts facts={facts} />
        <LanguageSelect />
        {problem && <ProblemNote problem={problem} />}
        <div className="stack">
          {links.map(({ href, label }) => (
            <a
              key={href}
              className="button button-quiet button-wide"
              href={href}
              onClick={() => setOpen(false)}
            >
              {label}
            </a>
          ))}
          <Button look="quiet" isWide onClick={() => void signOut().then(setProblem)}>
            {translate('signOut')}
          </Button>
          <Button look="quiet" isWide onClick={() => setOpen(false)}>
            {translate('close')}
          </Button>
        </div>
      </Dialog>
    </>
  )
}
