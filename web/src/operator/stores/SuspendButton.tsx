import type { OperatorStore, StoreSummary } from '@florin/contract/operator.js'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Facts, useMoneyText } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

/** Suspends a store after showing what that affects, or resumes it. */
export function SuspendButton({ store, onDone }: { store: OperatorStore; onDone: () => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { id, suspended } = store
  const label = suspended ? translate('resume') : translate('suspend')
  return (
    <ActionButton
      label={label}
      title={`${label}: ${store.name}`}
      isDanger={!suspended}
      run={() => request(`stores/${id}`, { method: 'PATCH', body: { suspended: !suspended } })}
      onDone={onDone}
    >
      <p>{suspended ? translate('resumeNote') : translate('suspendNote')}</p>
      {!suspended && <SuspensionEffect store={store} />}
    </ActionButton>
  )
}

function SuspensionEffect({ store }: { store: OperatorStore }) {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  const resource = useResource<StoreSummary>(`stores/${store.id}/standing`)
  return (
    <Loaded resource={resource} lines={3}>
      {({ pending, credentials, people }) => (
        <Facts
          facts={[
            ...pending.map(({ mode, count, amount }) => {
              const amountText = moneyText(amount, store.currency)
              const name = mode === 'live' ? translate('pendingLive') : translate('pendingSandbox')
              return [name, translate('countAndAmount', { count, amount: amountText })] as const
            }),
            ...(pending.length === 0 ? [[translate('pendingLive'), '0'] as const] : []),
            [translate('keysStop'), String(credentials)],
            [translate('peopleStop'), String(people)],
          ]}
        />
      )}
    </Loaded>
  )
}
