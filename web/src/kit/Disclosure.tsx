import './styles/disclosure.css'
import type { ReactNode } from 'react'
import { Icon } from './display.tsx'

type Props = { title: string; isOpen?: boolean; children: ReactNode }

/** A collapsible part of a page, so that the titles of all parts fit on the screen. */
export function Disclosure({ title, isOpen = false, children }: Props) {
  return (
    <details className="disclosure" open={isOpen}>
      <summary>
        <h2>{title}</h2>
        <Icon name="down" />
      </summary>
      {children}
    </details>
  )
}
