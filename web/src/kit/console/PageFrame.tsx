import type { ReactNode } from 'react'
import { BackLink } from '../BackLink.tsx'
import { useHeading } from '../heading.ts'
import { useLanguage } from './language.ts'

type Props = {
  title: string
  /** Where the arrow leads; a page of the rail has none. */
  back?: string
  /** At the end of the heading's line; one primary action at most. */
  actions?: ReactNode
  children: ReactNode
}

/** The heading of a page and what can be done there, then the page. */
export function PageFrame({ title, back, actions, children }: Props) {
  const { say } = useLanguage()
  const heading = useHeading(title)
  return (
    <>
      <div className="page-title">
        {back !== undefined && <BackLink href={back} label={say('back')} />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions && <div className="page-actions">{actions}</div>}
      </div>
      {children}
    </>
  )
}
