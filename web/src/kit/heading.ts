import { useEffect, useRef } from 'react'

/** A new screen is told by its heading: in the tab, and to who hears the page instead of seeing it. */
export function useHeading(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Florin`
  }, [title])
  useEffect(() => heading.current?.focus(), [])
  return heading
}
