import './section.css'
import { type ReactNode, useState } from 'react'
import { Disclosure } from '../Disclosure.tsx'

type Props = {
  title: string
  /** Starts open on a phone too. */
  isOpen?: boolean
  children: ReactNode
}

/** A part of a long page. On a phone it starts closed, so that the titles of all parts fit on the screen. */
export function Section({ title, isOpen = false, children }: Props) {
  const [isPhone] = useState(() => matchMedia('(max-width: 599px)').matches)
  if (!isPhone) {
    return (
      <>
        <h2>{title}</h2>
        {children}
      </>
    )
  }
  return (
    <Disclosure title={title} isOpen={isOpen}>
      <div className="stack">{children}</div>
    </Disclosure>
  )
}
