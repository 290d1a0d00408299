import type { StoreSetup } from '@florin/contract/store.js'
import type { IconName } from '@florin/shared/icons.js'
import { type ReactNode, useState } from 'react'
import { Button } from '../../kit/controls.tsx'
import { Icon } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { routeHref } from '../../kit/router.ts'
import { storedText } from '../../kit/storage.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

type Step = keyof StoreSetup

/** The steps in the order of the list, each with the page on which the owner does it. */
const STEPS: readonly (readonly [step: Step, icon: IconName, href: string])[] = [
  ['logo', 'picture', routeHref(['live', 'settings'], new URLSearchParams({ open: 'logo' }))],
  ['test_payment', 'scan', routeHref(['sandbox', 'developers', 'tryOut'])],
  ['key', 'key', routeHref(['sandbox', 'developers', 'keys'])],
  ['webhook', 'code', routeHref(['sandbox', 'developers', 'tryOut'])],
  ['person', 'person', routeHref(['live', 'settings', 'team'])],
]

/**
 * The steps to set up a new store, until all are done or the owner hides them. Shows its children after the steps have
 * loaded, because the steps would push them down.
 */
export function SetUp({ children }: { children: ReactNode }) {
  const { id } = useSession().account.store
  const storedHidden = storedText(`florin.setup.${id}`)
  const [isHidden, setHidden] = useState(() => storedHidden.get() !== null)
  const { data: setup, problem } = useResource<StoreSetup>('setup')
  if (setup === null && problem === null && !isHidden) return null
  function hide(): void {
    storedHidden.set('hidden')
    setHidden(true)
  }
  return (
    <>
      {setup && !isHidden && <Steps setup={setup} hide={hide} />}
      {children}
    </>
  )
}

function Steps({ setup, hide }: { setup: StoreSetup; hide: () => void }) {
  const { translate } = useLanguage()
  const doneCount = STEPS.filter(([step]) => setup[step]).length
  if (doneCount === STEPS.length) return null
  return (
    <section className="card set-up" aria-labelledby="set-up">
      <div className="row">
        <div>
          <h2 id="set-up">{translate('setUpStore')}</h2>
          <p className="small soft">
            {translate('setUpDone', { done: doneCount, all: STEPS.length })}
          </p>
        </div>
        <Button look="quiet" onClick={hide}>
          {translate('hideSetup')}
        </Button>
      </div>
      <progress aria-labelledby="set-up" max={STEPS.length} value={doneCount} />
      <ol className="set-up-steps">
        {STEPS.map(([step, icon, href]) => (
          <li key={step} className={setup[step] ? 'set-up-done' : undefined}>
            <Icon name={setup[step] ? 'completed' : icon} />
            {setup[step] ? (
              <div>
                {translate(`setup_${step}`)}
                <span className="visually-hidden">: {translate('stepDone')}</span>
              </div>
            ) : (
              <div>
                <a href={href}>{translate(`setup_${step}`)}</a>
                <p className="small soft">{translate(`setup_${step}_note`)}</p>
              </div>
            )}
            {!setup[step] && <Icon name="forward" />}
          </li>
        ))}
      </ol>
    </section>
  )
}
