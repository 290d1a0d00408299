import { useEffect, useLayoutEffect, useRef } from 'react'

/** How long the rows of a list stay cached while the user looks at one of its entries. */
export const KEEP_MS = 300_000

type LeftList = { readonly hash: string; readonly top: number; readonly entry: string }

/** The list that the user left for one of its entries. */
let leftList: LeftList | null = null

/**
 * Remembers filters and scroll position of a list while the user looks at an entry, whose URL begins with `list`. Restores
 * them when the user comes back. `isShown` is true once the list has its rows.
 */
export function useListMemory(list: string, isShown: boolean): void {
  const hash = useRef('')
  const top = useRef(0)
  useLayoutEffect(() => {
    hash.current = location.hash || list
  })
  useLayoutEffect(() => {
    // The browser would restore its own position, while the entry is still shown.
    history.scrollRestoration = 'manual'
    // Remember each position: when the user leaves the list, a part of the page is already removed.
    const remember = () => {
      top.current = scrollY
    }
    addEventListener('scroll', remember, { passive: true })
    return () => {
      removeEventListener('scroll', remember)
      const entry = location.hash
      if (entry.startsWith(`${list}/`)) leftList = { hash: hash.current, top: top.current, entry }
    }
  }, [list])
  useEffect(() => {
    if (!isShown || leftList === null || leftList.hash !== hash.current) return
    const { entry, top } = leftList
    leftList = null
    // Wait for the next frame: an effect of the page focuses the heading, which scrolls to the top.
    requestAnimationFrame(() => {
      const links = document.querySelectorAll<HTMLAnchorElement>('main a')
      const link = [...links].find(({ hash }) => hash === entry)
      link?.focus({ preventScroll: true })
      scrollTo(0, top)
    })
  }, [isShown])
}

/** The URL of the list with the filters that it had, for the back arrow of an entry. */
export const listHref = (list: string): string =>
  leftList?.hash.startsWith(list) && leftList.entry === location.hash ? leftList.hash : list
