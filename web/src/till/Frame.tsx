import type { ReactNode } from 'react'
import { useHeading } from '../kit/heading.ts'
import { BackLink, SandboxRibbon } from '../kit/Page.tsx'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

type Props = {
  title: string
  /** Where the arrow leads; the first screen has none. */
  back?: string
  /** Stands at the end of the head. */
  tools?: ReactNode
  children: ReactNode
}

/** Every screen of the till but those that are filled by one payment. */
export function Frame({ title, back, tools, children }: Props) {
  const { say } = useLanguage()
  const { mode } = useSession()
  const heading = useHeading(title)
  return (
    <div className="till">
      {mode === 'sandbox' && <SandboxRibbon word={say('sandbox')} note={say('sandboxNote')} />}
      <header className="till-head">
        {back !== undefined && <BackLink href={back} label={say('back')} />}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {tools}
      </header>
      <main className="till-main">{children}</main>
    </div>
  )
}
