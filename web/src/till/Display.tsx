import { useEffect, useRef, useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Brand, SandboxRibbon, useHeading } from '../kit/Page.tsx'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { CodeScreen } from './CodeScreen.tsx'
import { connectToTill, type DisplayState } from './channel.ts'
import { useLanguage } from './language.ts'
import { OutcomeScreen } from './Outcome.tsx'
import { TipScreen } from './TipScreen.tsx'
import { useWakeLock } from './wakeLock.ts'

/** The customer screen: a second window of the same browser that follows the till. */
export function Display() {
  const [state, setState] = useState<DisplayState | null>(null)
  const till = useRef<ReturnType<typeof connectToTill>>(null)
  // This screen is rarely touched, so the device would turn it off.
  useWakeLock()
  useEffect(() => {
    till.current = connectToTill(setState)
    return till.current.close
  }, [])
  if (state?.kind === 'tip') {
    return <TipScreen {...state} choose={(tip) => till.current?.choose(state.saleKey, tip)} />
  }
  if (state?.kind !== 'sale') return <Welcome state={state} />
  const { status } = state
  if (status === 'pending') return <CodeScreen key={state.code} {...state} />
  return <OutcomeScreen {...state} status={status} />
}

function Welcome({ state }: { state: DisplayState | null }) {
  const { translate } = useLanguage()
  const heading = useHeading(translate('display'))
  return (
    <div className="till welcome">
      {state?.isSandbox && <SandboxRibbon />}
      <main className="welcome-main">
        {state && <StoreLogo url={state.logo} size={120} />}
        <h1 ref={heading} tabIndex={-1}>
          {state === null ? translate('displayWaiting') : state.store}
        </h1>
        {state !== null && <p className="soft">{translate('welcome')}</p>}
      </main>
      <footer className="welcome-foot">
        <Brand />
        {document.fullscreenEnabled && (
          <Button look="quiet" onClick={() => void document.documentElement.requestFullscreen()}>
            {translate('fullScreen')}
          </Button>
        )}
      </footer>
    </div>
  )
}

/** The window has a name, so that a second press finds the same one. */
export function openDisplay(): void {
  open(`${location.pathname}${location.search}#display`, 'florin-display', 'popup')
}
