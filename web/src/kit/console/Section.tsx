import './section.css'
import { type ReactNode, useState } from 'react'
import { Icon } from '../display.tsx'

type Props = {
  title: string
  /** Starts open on a phone too. */
  isOpen?: boolean
  children: ReactNode
}

/** A part of a long page. On a phone it starts closed, so that the titles of all parts fit on the screen. */
export function Section({ title, isOpen = false, children }: Props) {
  const [isPhone] = useState(() => matchMedia('(max-width: 599px)').matches)
  const heading = <h2>{title}</h2>
  if (!isPhone) {
    return (
      <>
        {heading}
        {children}
      </>
    )
  }
  return (
    <details className="page-section" open={isOpen}>
      <summary>
        {heading}
        <Icon name="down" />
      </summary>
      <div className="stack">{children}</div>
    </details>
  )
}
