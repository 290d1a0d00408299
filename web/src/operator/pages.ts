import type { IconName } from '@florin/shared/icons.js'
import type { ComponentType } from 'react'
import { BalancesPage } from './balances/BalancesPage.tsx'
import { HealthPage } from './health/HealthPage.tsx'
import { LedgerPage } from './ledger/LedgerPage.tsx'
import { LogPage } from './log/LogPage.tsx'
import { OverviewPage } from './overview/OverviewPage.tsx'
import { PeoplePage } from './people/PeoplePage.tsx'
import type { PageName, PageProps } from './place.ts'
import { RatesPage } from './rates/RatesPage.tsx'
import { StoresPage } from './stores/StoresPage.tsx'
import { WalletsPage } from './wallets/WalletsPage.tsx'
import { WebhooksPage } from './webhooks/WebhooksPage.tsx'

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
