import { useLayoutEffect, useRef } from 'react'

/**
 * For a line that scrolls sideways: shows its current item when that changes. Moves only the line, because the page may
 * have been scrolled on purpose.
 */
export function useRevealed<Line extends HTMLElement>(current: string | undefined) {
  const line = useRef<Line>(null)
  useLayoutEffect(() => {
    const item = line.current?.querySelector('[aria-pressed="true"], [aria-current]')
    if (!line.current || !item || current === undefined) return
    const [outer, inner] = [line.current.getBoundingClientRect(), item.getBoundingClientRect()]
    line.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
  }, [current])
  return line
}
