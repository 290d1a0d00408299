import type { PageName } from '@florin/server/core/pages.js'
import type { IconName } from '@florin/shared/icons.js'
import type { ComponentType } from 'react'
import { BalancePage } from './balance/BalancePage.tsx'
import { DevelopersPage } from './developers/DevelopersPage.tsx'
import { OverviewPage } from './overview/OverviewPage.tsx'
import type { PageProps } from './pageProps.ts'
import { PaymentsPage } from './payments/PaymentsPage.tsx'
import { SettingsPage } from './settings/SettingsPage.tsx'

type PageEntry = {
  readonly page: PageName
  readonly icon: IconName
  readonly component: ComponentType<PageProps>
}

/**
 * Every page in the order of the rail. Its name in the address is its name in `PAGE_ROLES`, which says who
 * has it, and in the words, which say what it is called.
 */
export const PAGES: readonly PageEntry[] = [
  { page: 'overview', icon: 'overview', component: OverviewPage },
  { page: 'payments', icon: 'list', component: PaymentsPage },
  { page: 'balance', icon: 'wallet', component: BalancePage },
  { page: 'developers', icon: 'code', component: DevelopersPage },
  { page: 'settings', icon: 'settings', component: SettingsPage },
]
