import { useState } from 'react'
import { Loaded } from '../../kit/console/states.tsx'
import { amountText, Facts } from '../../kit/display.tsx'
import type { Mode } from '../../kit/store/payment.ts'
import { Act } from '../Act.tsx'
import { useLanguage } from '../language.ts'
import { useAsked, useSession } from '../session.ts'
import type { Store } from '../types.ts'

type Standing = {
  readonly pending: readonly { mode: Mode; count: number; amount: string }[]
  readonly credentials: number
  readonly people: number
}

/** What it will hold up is counted first. */
export function Suspend({ store, onDone }: { store: Store; onDone: () => void }) {
  const { say } = useLanguage()
  const { ask } = useSession()
  const [isAsked, setAsked] = useState(false)
  const { id, suspended } = store
  const word = suspended ? say('resume') : say('suspend')
  return (
    <Act
      label={word}
      confirm={word}
      isDanger={!suspended}
      onOpen={() => setAsked(true)}
      run={() => ask(`stores/${id}`, { method: 'PATCH', body: { suspended: !suspended } })}
      onDone={onDone}
    >
      <p>{suspended ? say('resumeNote') : say('suspendNote')}</p>
      {isAsked && !suspended && <Effect store={store} />}
    </Act>
  )
}

function Effect({ store }: { store: Store }) {
  const { say, locale } = useLanguage()
  const asked = useAsked<Standing>(`stores/${store.id}/standing`)
  return (
    <Loaded asked={asked} lines={3}>
      {({ pending, credentials, people }) => (
        <Facts
          facts={[
            ...pending.map(({ mode, count, amount }) => {
              const { currency } = store
              const shown = amountText({ amount, currency, locale })
              const name = mode === 'live' ? say('pendingLive') : say('pendingSandbox')
              return [name, say('countAndAmount', { count, amount: shown })] as const
            }),
            ...(pending.length === 0 ? [[say('pendingLive'), '0'] as const] : []),
            [say('keysStop'), String(credentials)],
            [say('peopleStop'), String(people)],
          ]}
        />
      )}
    </Loaded>
  )
}
