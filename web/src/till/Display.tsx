import { useEffect, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { useHeading } from '../kit/heading.ts'
import { Brand, SandboxRibbon } from '../kit/Page.tsx'
import { CodeScreen } from './CodeScreen.tsx'
import { type Shown, watchTill } from './channel.ts'
import { useLanguage } from './language.ts'
import { OutcomeScreen } from './Outcome.tsx'

/** The customer's screen: a window of the same browser that follows the till from sale to sale. */
export function Display() {
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => watchTill(setShown), [])
  if (shown?.kind !== 'sale') return <Welcome shown={shown} />
  const { status } = shown
  if (status === 'pending') return <CodeScreen key={shown.code} {...shown} />
  return <OutcomeScreen {...shown} status={status} />
}

function Welcome({ shown }: { shown: Shown | null }) {
  const { say } = useLanguage()
  const heading = useHeading(say('display'))
  return (
    <div className="till welcome">
      {shown?.isSandbox && <SandboxRibbon word={say('sandbox')} note={say('sandboxNote')} />}
      <main className="welcome-main">
        <h1 ref={heading} tabIndex={-1}>
          {shown === null ? say('displayWaiting') : shown.store}
        </h1>
        {shown !== null && <p className="soft">{say('welcome')}</p>}
      </main>
      <footer className="welcome-foot">
        <Brand name="Florin" />
        {document.fullscreenEnabled && (
          <Button look="quiet" onClick={() => void document.documentElement.requestFullscreen()}>
            {say('fullScreen')}
          </Button>
        )}
      </footer>
    </div>
  )
}

/** Named, so that a second press finds the same window. */
export function openDisplay(): void {
  open(`${location.pathname}${location.search}#display`, 'florin-display', 'popup')
}
