import { useEffect, useLayoutEffect, useRef } from 'react'

/**
 * Scrolls a row of items sideways to its current item when that changes. Doesn't scroll the page, which the user may have
 * scrolled on purpose. `data-more` names the sides with hidden items, which the style sheet fades.
 */
export function useScrollToCurrent<Row extends HTMLElement>(current: string | undefined) {
  const row = useRef<Row>(null)
  useLayoutEffect(() => {
    const item = row.current?.querySelector('[aria-pressed="true"], [aria-current]')
    if (!row.current || !item || current === undefined) return
    const [outer, inner] = [row.current.getBoundingClientRect(), item.getBoundingClientRect()]
    row.current.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2)
  }, [current])
  useEffect(() => {
    const element = row.current!
    const update = () => {
      element.dataset.more = hiddenSides(element).join(' ')
    }
    const observer = new ResizeObserver(update)
    for (const observed of [element, ...element.children]) observer.observe(observed)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [])
  return row
}

function hiddenSides(row: HTMLElement): readonly string[] {
  const hidden = row.scrollWidth - row.clientWidth
  // In right-to-left languages, `scrollLeft` is zero at the right end and negative elsewhere.
  const isRtl = getComputedStyle(row).direction === 'rtl'
  const left = isRtl ? hidden + row.scrollLeft : row.scrollLeft
  const sides = []
  // Allow a pixel: `scrollLeft` can be fractional, but the widths are rounded.
  if (left > 1) sides.push('left')
  if (hidden - left > 1) sides.push('right')
  return sides
}
