import type { OperatorStore } from '@florin/contract/operator.js'
import { useState } from 'react'
import { Badge } from '../../kit/console/actions.tsx'
import { listHref } from '../../kit/console/listMemory.ts'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { isMissing, Loaded } from '../../kit/console/states.tsx'
import { useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../route.ts'
import { Keys } from './Keys.tsx'
import { StoreMoney } from './StoreMoney.tsx'
import { StorePayments } from './StorePayments.tsx'
import { StorePeople } from './StorePeople.tsx'
import { StoreSettingsForm } from './StoreSettingsForm.tsx'
import { SuspendButton } from './SuspendButton.tsx'

const PARTS = ['money', 'payments', 'settings', 'keys', 'people'] as const

export function StoreDetails({ id, part }: { id: string; part: string }) {
  const { translate } = useLanguage()
  const resource = useResource<OperatorStore>(`stores/${encodeURIComponent(id)}`)
  const store = resource.data
  // Look it up once: the list is known only at the URL that it linked to, and each tab has a URL of its own.
  const [back] = useState(() => listHref(hrefTo('stores')))
  const current = PARTS.find((name) => name === part) ?? 'money'
  return (
    <PageFrame
      title={store?.name ?? translate('store')}
      back={back}
      actions={
        store && (
          <Allowed permission="admin">
            <SuspendButton store={store} onDone={resource.reload} />
          </Allowed>
        )
      }
    >
      {!isMissing(resource.problem) && (
        <Tabs
          label={store?.name ?? translate('store')}
          tabs={PARTS.map((name) => ({
            href: hrefTo('stores', id, name),
            label: translate(`store_${name}`),
            isCurrent: name === current,
          }))}
        />
      )}
      <Loaded resource={resource} back={back}>
        {(store) => (
          <>
            {store.suspended && <Badge tone="bad" text={translate('suspendedNote')} />}
            {current === 'money' && <StoreMoney store={store} onDone={resource.reload} />}
            {current === 'payments' && <StorePayments store={store} />}
            {current === 'settings' && <StoreSettingsForm store={store} onDone={resource.reload} />}
            {current === 'keys' && <Keys store={store} />}
            {current === 'people' && <StorePeople store={store} />}
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
