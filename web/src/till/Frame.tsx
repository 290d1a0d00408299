import type { ReactNode } from 'react'
import { Button } from '../kit/controls.tsx'
import { BackLink, SandboxRibbon, useHeading } from '../kit/Page.tsx'
import { ProblemNote } from '../kit/problems.tsx'
import type { Resource } from '../kit/query.ts'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

type Props = {
  title: string
  /** Before the title. */
  logo?: string
  /** The target of the back arrow. The first screen has none. */
  back?: string
  /** At the end of the header. */
  tools?: ReactNode
  children: ReactNode
}

/** The frame of all screens except those that face the customer: tip, code, outcome and welcome. */
export function Frame({ title, logo, back, tools, children }: Props) {
  const { translate } = useLanguage()
  const { mode } = useSession()
  const heading = useHeading(title)
  return (
    <div className="till">
      {mode === 'sandbox' && <SandboxRibbon />}
      <header className="till-head">
        {back !== undefined && <BackLink href={back} label={translate('back')} />}
        {logo !== undefined && <StoreLogo url={logo} size={40} />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {tools}
      </header>
      <main className="till-main">{children}</main>
    </div>
  )
}

/** Nothing during the short load, or the problem with a button to try again. */
export function Loading({ resource, back }: { resource: Resource<unknown>; back: string }) {
  const { translate } = useLanguage()
  const { problem, reload } = resource
  if (problem === null) return null
  return (
    <Frame title={translate('title')} back={back}>
      <div className="stack narrow">
        <ProblemNote problem={problem} />
        <Button isWide onClick={reload}>
          {translate('tryAgain')}
        </Button>
      </div>
    </Frame>
  )
}
