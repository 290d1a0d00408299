import { useLayoutEffect, useRef } from 'react'

/**
 * Scrolls a row of items sideways to its current item when that changes. Doesn't scroll the page, which the user may have
 * scrolled on purpose.
 */
export function useRevealed<Row extends HTMLElement>(current: string | undefined) {
  const row = useRef<Row>(null)
  useLayoutEffect(() => {
    const item = row.current?.querySelector('[aria-pressed="true"], [aria-current]')
    if (!row.current || !item || current === undefined) return
    const [outer, inner] = [row.current.getBoundingClientRect(), item.getBoundingClientRect()]
    row.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
  }, [current])
  return row
}
