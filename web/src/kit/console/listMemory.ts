import { useEffect, useLayoutEffect, useRef } from 'react'

type Left = { readonly hash: string; readonly scrollY: number; readonly entry: string }

/** The list that the user left for one of its entries. */
let left: Left | null = null

/**
 * Remembers filters and scroll position of a list while the user looks at an entry, whose address begins with `list`.
 * Restores them when the user comes back. `isShown` once the list has its rows.
 */
export function useListMemory(list: string, isShown: boolean): void {
  const hash = useRef('')
  useLayoutEffect(() => {
    hash.current = location.hash || list
  })
  useLayoutEffect(
    () => () => {
      const entry = location.hash
      if (entry.startsWith(`${list}/`)) left = { hash: hash.current, scrollY, entry }
    },
    [list],
  )
  useEffect(() => {
    if (!isShown || left === null || left.hash !== hash.current) return
    const { entry, scrollY } = left
    left = null
    // After the other effects, one of which focuses the heading.
    queueMicrotask(() => {
      const links = document.querySelectorAll<HTMLAnchorElement>('main a')
      const link = [...links].find((one) => one.hash === entry)
      link?.focus({ preventScroll: true })
      scrollTo(0, scrollY)
    })
  }, [isShown])
}

/** The address of the list with the filters that it had, for the back arrow of an entry. */
export const listHref = (list: string): string =>
  left?.hash.startsWith(list) && left.entry === location.hash ? left.hash : list
