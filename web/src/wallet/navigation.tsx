import { useEffect } from 'react'
import { Icon } from '../kit/display.tsx'
import { navigate } from '../kit/router.ts'
import { useLanguage } from './language.ts'

/** The pages of the bar, with their icons and labels. */
const PAGES = [
  ['home', 'wallet', 'title'],
  ['activity', 'list', 'activity'],
  ['shops', 'store', 'shops'],
  ['account', 'person', 'account'],
] as const

/** Pages without the bar: those of a payment, where nothing should distract, and others that have a link back. */
const WITHOUT_BAR = ['scan', 'type', 'pay', 'link', 'payment', 'shop', 'statement']

/** The navigation between the main pages. */
export function WalletBar({ page }: { page: string }) {
  const { translate } = useLanguage()
  if (WITHOUT_BAR.includes(page)) return null
  // An unknown address shows the home page.
  const current = PAGES.some(([name]) => name === page) ? page : 'home'
  return (
    <nav className="wallet-bar" aria-label={translate('pages')}>
      {PAGES.map(([name, icon, word]) => (
        <a key={name} href={`#${name}`} aria-current={name === current ? 'page' : undefined}>
          <Icon name={icon} />
          {translate(word)}
        </a>
      ))}
    </nav>
  )
}

type BackProps = { href: string; children: string }

function Back({ href, children }: BackProps) {
  return (
    <a className="back" href={href}>
      <Icon name="back" />
      {children}
    </a>
  )
}

/** A link back to the home page of the wallet. */
export function BackToWallet() {
  const { translate } = useLanguage()
  return <Back href="#home">{translate('backToWallet')}</Back>
}

export function BackToActivity() {
  const { translate } = useLanguage()
  return <Back href="#activity">{translate('allActivity')}</Back>
}

export function BackToShops() {
  const { translate } = useLanguage()
  return <Back href="#shops">{translate('allShops')}</Back>
}

/** Replaces the current page, so that "back" does not lead to it again. */
export const navigateInstead = (hash: string) => navigate(hash, { replace: true })

/**
 * Scrolls to the top and focuses the heading when `view` changes, so that a screen reader announces it. Does nothing while a
 * field has the focus.
 */
export function useFocusOnHeading(view: string): void {
  useEffect(() => {
    if (isFieldFocused()) return
    if (view !== '') window.scrollTo(0, 0)
    if (focusHeading()) return
    // The code of the page is still being loaded.
    const observer = new MutationObserver(() => {
      if (isFieldFocused() || focusHeading()) observer.disconnect()
    })
    observer.observe(document.body, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [view])
}

const isFieldFocused = () => document.activeElement?.matches('input, select') === true

/** Returns false if no heading is visible. */
function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
  return heading !== null && document.activeElement === heading
}
