import type { SetupState } from '@florin/contract/operators.js'
import './operator.css'
import type { IconName } from '@florin/shared/icons.js'
import { type ComponentType, useCallback, useEffect, useState } from 'react'
import { FactorReminder } from '../kit/account/FactorReminder.tsx'
import { OwnAccount } from '../kit/account/OwnAccount.tsx'
import { PageFrame, Shell } from '../kit/console/Shell.tsx'
import { Empty } from '../kit/console/states.tsx'
import { type Problem, request } from '../kit/request.ts'
import { Unreachable } from '../kit/SignIn.tsx'
import { Account } from './Account.tsx'
import { ApprovalsPage } from './approvals/ApprovalsPage.tsx'
import { usePendingApprovals } from './approvals/pending.ts'
import { BalancesPage } from './balances/BalancesPage.tsx'
import { HealthPage } from './health/HealthPage.tsx'
import { useLanguage } from './language.ts'
import { LedgerPage } from './ledger/LedgerPage.tsx'
import { LogPage } from './log/LogPage.tsx'
import { MailPage } from './mail/MailPage.tsx'
import { OverviewPage } from './overview/OverviewPage.tsx'
import { PeoplePage } from './people/PeoplePage.tsx'
import { RatesPage } from './rates/RatesPage.tsx'
import { hrefTo, type PageName, type PageProps, useOperatorRoute } from './route.ts'
import { Setup } from './Setup.tsx'
import { SecurityPage } from './security/SecurityPage.tsx'
import { SessionProvider } from './session.ts'
import { PaymentPage } from './stores/PaymentPage.tsx'
import { StoresPage } from './stores/StoresPage.tsx'
import { TokensPage } from './tokens/TokensPage.tsx'
import { WalletsPage } from './wallets/WalletsPage.tsx'
import { WebhooksPage } from './webhooks/WebhooksPage.tsx'

/** The pages in the order of the navigation. The names are also keys of the words. */
const PAGES: readonly {
  readonly page: PageName
  readonly icon: IconName
  readonly component: ComponentType<PageProps>
  readonly group?: 'group_business' | 'group_access' | 'group_service'
}[] = [
  { page: 'overview', icon: 'overview', component: OverviewPage },
  { page: 'stores', icon: 'store', component: StoresPage, group: 'group_business' },
  { page: 'wallets', icon: 'wallet', component: WalletsPage, group: 'group_business' },
  { page: 'balances', icon: 'list', component: BalancesPage, group: 'group_business' },
  { page: 'approvals', icon: 'approvals', component: ApprovalsPage, group: 'group_business' },
  { page: 'rates', icon: 'rates', component: RatesPage, group: 'group_business' },
  { page: 'people', icon: 'person', component: PeoplePage, group: 'group_access' },
  { page: 'tokens', icon: 'key', component: TokensPage, group: 'group_access' },
  { page: 'security', icon: 'warning', component: SecurityPage, group: 'group_access' },
  { page: 'log', icon: 'log', component: LogPage, group: 'group_access' },
  { page: 'health', icon: 'health', component: HealthPage, group: 'group_service' },
  { page: 'webhooks', icon: 'code', component: WebhooksPage, group: 'group_service' },
  { page: 'mail', icon: 'mail', component: MailPage, group: 'group_service' },
  { page: 'ledger', icon: 'completed', component: LedgerPage, group: 'group_service' },
]

/** The page of the signed-in account, which is not in the navigation. */
const ACCOUNT = 'account'
const ACCOUNT_HREF = `#${ACCOUNT}`

/** The console, or the setup page while the service has no operator. */
export function Operator() {
  const { translate } = useLanguage()
  const [setup, setSetup] = useState<'unknown' | 'open' | 'done' | Problem>('unknown')
  const loadSetup = useCallback(async () => {
    const response = await request<SetupState>('operator/setup')
    if (response.ok) setSetup(response.data.open ? 'open' : 'done')
    else setSetup(response.problem)
  }, [])
  useEffect(() => void loadSetup(), [loadSetup])
  if (setup === 'unknown') return null
  // The document says whether there is a session, so a new session needs a new document.
  if (setup === 'open') return <Setup onDone={() => location.reload()} />
  if (setup !== 'done') {
    return <Unreachable title={translate('title')} problem={setup} retry={() => void loadSetup()} />
  }
  return (
    <SessionProvider title={translate('title')}>
      <CurrentPage />
    </SessionProvider>
  )
}

function CurrentPage() {
  const { translate } = useLanguage()
  const { page, id, part, item } = useOperatorRoute()
  const current = PAGES.find((entry) => entry.page === page)
  const isPayment = page === 'payments' && id !== ''
  const isAccount = page === ACCOUNT
  const { count } = usePendingApprovals()
  return (
    <Shell
      owner={translate('title')}
      items={PAGES.map((entry) => ({
        href: hrefTo(entry.page),
        label: translate(entry.page),
        icon: entry.icon,
        isCurrent: entry === current || (isPayment && entry.page === 'stores'),
        group: entry.group && translate(entry.group),
        count: entry.page === 'approvals' ? count : 0,
      }))}
      tools={<Account href={ACCOUNT_HREF} />}
    >
      <FactorReminder href={ACCOUNT_HREF} />
      {current ? (
        // The key resets the state of the page when the page or its subject changes.
        <current.component key={`${page} ${id}`} id={id} part={part} item={item} />
      ) : isPayment ? (
        <PaymentPage key={id} id={id} />
      ) : isAccount ? (
        <PageFrame title={translate('yourAccount')}>
          <OwnAccount />
        </PageFrame>
      ) : (
        <PageFrame title={translate('title')}>
          <Empty title={translate('noPage')}>
            <a className="button" href={hrefTo('overview')}>
              {translate('overview')}
            </a>
          </Empty>
        </PageFrame>
      )}
    </Shell>
  )
}
