import { useEffect, useSyncExternalStore } from 'react'

/** Where one is stands after the `#`: nothing, `scan`, `type`, `activity`, or `pay/` and a number. */
export function useRoute(): string {
  return useSyncExternalStore(
    (changed) => {
      window.addEventListener('hashchange', changed)
      return () => window.removeEventListener('hashchange', changed)
    },
    () => location.hash.slice(1),
  )
}

export function go(route: string): void {
  location.hash = route
}

/** In place of the page that is shown, so that the way back does not lead through it again. */
export function goInstead(route: string): void {
  location.replace(`#${route}`)
}

/** A reader of the page that is not seen hears where it got to; nothing happens at the first look. */
export function useFocusOnHeading(shown: string): void {
  useEffect(() => {
    if (document.activeElement?.matches('input, select')) return
    const heading = document.querySelector<HTMLElement>('h1')
    heading?.setAttribute('tabindex', '-1')
    heading?.focus({ preventScroll: true })
    if (shown !== '') window.scrollTo(0, 0)
  }, [shown])
}
