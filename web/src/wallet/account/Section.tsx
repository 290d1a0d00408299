import type { ReactNode } from 'react'
import { Icon } from '../../kit/display.tsx'

/** A part of the account that opens when it is needed, so that all parts fit on a screen. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details className="account-section">
      <summary>
        <h2>{title}</h2>
        <Icon name="down" />
      </summary>
      {children}
    </details>
  )
}
