import { useEffect } from 'react'
import { Icon } from '../kit/display.tsx'
import { navigate } from '../kit/router.ts'
import { useLanguage } from './language.ts'

/** A link back to the start page. */
export function BackToWallet() {
  const { say } = useLanguage()
  return (
    <a className="back" href="#home">
      <Icon name="back" />
      {say('backToWallet')}
    </a>
  )
}

/** Replaces the current page, so that "back" does not lead to it again. */
export const navigateInstead = (hash: string) => navigate(hash, { replace: true })

/** Focuses the heading when `page` changes, so that a screen reader announces the new page. */
export function useFocusOnHeading(page: string): void {
  useEffect(() => {
    if (document.activeElement?.matches('input, select')) return
    const heading = document.querySelector<HTMLElement>('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
    if (page !== '') window.scrollTo(0, 0)
  }, [page])
}
