import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Badge } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../place.ts'
import { useAsked } from '../session.ts'
import type { Store } from '../types.ts'
import { Keys } from './Keys.tsx'
import { StoreMoney } from './StoreMoney.tsx'
import { StorePeople } from './StorePeople.tsx'
import { StoreSettings } from './StoreSettings.tsx'
import { Suspend } from './Suspend.tsx'

const PARTS = ['money', 'settings', 'keys', 'people'] as const

/** One store: its money first, then everything that can be set. */
export function StorePage({ id, part }: { id: string; part: string }) {
  const { say } = useLanguage()
  const asked = useAsked<Store>(`stores/${encodeURIComponent(id)}`)
  const store = asked.data
  const current = PARTS.find((one) => one === part) ?? 'money'
  return (
    <PageFrame
      title={store?.name ?? say('store')}
      back={hrefTo('stores')}
      actions={store && <Suspend store={store} onDone={asked.again} />}
    >
      <nav className="parts" aria-label={store?.name ?? say('store')}>
        {PARTS.map((one) => (
          <a
            key={one}
            href={hrefTo('stores', id, one)}
            aria-current={one === current ? 'page' : undefined}
          >
            {say(`store_${one}`)}
          </a>
        ))}
      </nav>
      <Loaded asked={asked}>
        {(known) => (
          <>
            {known.suspended && <Badge tone="bad" word={say('suspendedNote')} />}
            {current === 'money' && <StoreMoney store={known} onDone={asked.again} />}
            {current === 'settings' && <StoreSettings store={known} onDone={asked.again} />}
            {current === 'keys' && <Keys store={known} />}
            {current === 'people' && <StorePeople store={known} />}
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}
