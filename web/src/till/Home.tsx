import { useSyncExternalStore } from 'react'
import { amountText, Icon } from '../kit/display.tsx'
import type { Today } from '../kit/store/payment.ts'
import { ModeSwitch, useAsked } from '../kit/store/session.tsx'
import { openDisplay } from './Display.tsx'
import { Frame } from './Frame.tsx'
import { useLanguage } from './language.ts'
import { Register } from './Register.tsx'
import { Sales } from './Sales.tsx'
import { useSession } from './session.tsx'

const WIDE = matchMedia('(min-width: 1000px)')

function whenWidthChanges(changed: () => void): () => void {
  WIDE.addEventListener('change', changed)
  return () => WIDE.removeEventListener('change', changed)
}

export function Home() {
  const { say } = useLanguage()
  const { who, mode, setMode } = useSession()
  const isWide = useSyncExternalStore(whenWidthChanges, () => WIDE.matches)
  const tools = (
    <>
      <ModeSwitch mode={mode} setMode={setMode} />
      <button
        type="button"
        className="tool tool-display"
        // As on the keypad: Enter still charges afterwards.
        onMouseDown={(event) => event.preventDefault()}
        onClick={openDisplay}
      >
        <Icon name="screen" />
        <span className="unseen">{say('openDisplay')}</span>
      </button>
      <a className="tool" href="#you" aria-label={say('you')}>
        <Icon name="person" />
      </a>
    </>
  )
  return (
    <Frame title={who.store.name} tools={tools}>
      <div className="home">
        <section className="home-sale" aria-label={say('newSale')}>
          {who.store.suspended && <p className="notice tone-failed">{say('suspended')}</p>}
          {who.may.includes('create') ? <Register /> : <Looking />}
          {!isWide && <TodayLink />}
        </section>
        {isWide && (
          <section className="home-sales" aria-label={say('sales')}>
            <Sales />
          </section>
        )}
      </div>
    </Frame>
  )
}

/** For who may look and not charge. */
function Looking() {
  const { say } = useLanguage()
  return (
    <div className="notice tone-pending">
      <Icon name="warning" />
      <p>{say('viewerNote')}</p>
    </div>
  )
}

function TodayLink() {
  const { say, locale } = useLanguage()
  const { mode } = useSession()
  const { data } = useAsked<Today>(`${mode}/today`)
  return (
    <a className="today-link" href="#sales">
      <span>{say('today')}</span>
      {data && <span className="soft">{say('salesCount', { count: data.sales.count })}</span>}
      {data && <span>{amountText({ ...data.sales, currency: data.currency, locale })}</span>}
      <span className="turns">
        <Icon name="forward" />
      </span>
    </a>
  )
}
