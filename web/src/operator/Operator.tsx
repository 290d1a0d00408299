import './operator.css'
import type { IconName } from '@florin/shared/icons.js'
import { type ComponentType, useState } from 'react'
import { PageFrame, Shell } from '../kit/console/Shell.tsx'
import { Empty } from '../kit/console/states.tsx'
import { request } from '../kit/request.ts'
import { useAnswer } from '../kit/resource.ts'
import { Unreachable } from '../kit/SignIn.tsx'
import { Account } from './Account.tsx'
import { BalancesPage } from './balances/BalancesPage.tsx'
import { HealthPage } from './health/HealthPage.tsx'
import { useLanguage } from './language.ts'
import { LedgerPage } from './ledger/LedgerPage.tsx'
import { LogPage } from './log/LogPage.tsx'
import { OverviewPage } from './overview/OverviewPage.tsx'
import { PeoplePage } from './people/PeoplePage.tsx'
import { hrefTo, type PageName, type PageProps, useOperatorPlace } from './place.ts'
import { RatesPage } from './rates/RatesPage.tsx'
import { Setup } from './Setup.tsx'
import { SessionProvider } from './session.ts'
import { StoresPage } from './stores/StoresPage.tsx'
import { WalletsPage } from './wallets/WalletsPage.tsx'
import { WebhooksPage } from './webhooks/WebhooksPage.tsx'

export function Operator() {
  const { say } = useLanguage()
  const asked = useAnswer<{ open: boolean }>(request, 'operator/setup')
  const [isSetUp, setSetUp] = useState(false)
  const { data, problem, again } = asked
  const title = say('title')
  if (data === null) return problem && <Unreachable title={title} problem={problem} again={again} />
  if (data.open && !isSetUp) return <Setup onDone={() => setSetUp(true)} />
  return (
    <SessionProvider title={title}>
      <Desk />
    </SessionProvider>
  )
}

function Desk() {
  const { say } = useLanguage()
  const { page, id, part } = useOperatorPlace()
  const current = PAGES.find((one) => one.page === page)
  return (
    <Shell
      owner={say('title')}
      items={PAGES.map((one) => ({
        href: hrefTo(one.page),
        label: say(one.page),
        icon: one.icon,
        isCurrent: one === current,
      }))}
      tools={<Account />}
    >
      {current ? (
        // Another page or store is another page, with nothing left of the last one.
        <current.component key={`${page} ${id}`} id={id} part={part} />
      ) : (
        <PageFrame title={say('title')}>
          <Empty title={say('noPage')} />
        </PageFrame>
      )}
    </Shell>
  )
}

/** In the order of the rail. Their names in the address are also their names in the words. */
export const PAGES: readonly {
  readonly page: PageName
  readonly icon: IconName
  readonly component: ComponentType<PageProps>
}[] = [
  { page: 'overview', icon: 'overview', component: OverviewPage },
  { page: 'stores', icon: 'store', component: StoresPage },
  { page: 'people', icon: 'person', component: PeoplePage },
  { page: 'wallets', icon: 'wallet', component: WalletsPage },
  { page: 'rates', icon: 'rates', component: RatesPage },
  { page: 'balances', icon: 'list', component: BalancesPage },
  { page: 'webhooks', icon: 'code', component: WebhooksPage },
  { page: 'ledger', icon: 'completed', component: LedgerPage },
  { page: 'health', icon: 'health', component: HealthPage },
  { page: 'log', icon: 'log', component: LogPage },
]
