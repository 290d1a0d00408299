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
import { StoresPage } from './stores/StoresPage.tsx'
import { TokensPage } from './tokens/TokensPage.tsx'
import { WalletsPage } from './wallets/WalletsPage.tsx'
import { WebhooksPage } from './webhooks/WebhooksPage.tsx'

/** The pages in the order of the navigation. The names are also keys of the words. */
const PAGES: readonly {
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
  { page: 'approvals', icon: 'approvals', component: ApprovalsPage },
  { page: 'webhooks', icon: 'code', component: WebhooksPage },
  { page: 'mail', icon: 'mail', component: MailPage },
  { page: 'ledger', icon: 'completed', component: LedgerPage },
  { page: 'health', icon: 'health', component: HealthPage },
  { page: 'log', icon: 'log', component: LogPage },
  { page: 'tokens', icon: 'key', component: TokensPage },
  { page: 'security', icon: 'warning', component: SecurityPage },
]

/** The page of the signed-in account, which is not in the navigation. */
const ACCOUNT = 'account'
const ACCOUNT_HREF = `#${ACCOUNT}`

/** The console, or the setup page while the service has no operator. */
export function Operator() {
  const { say } = useLanguage()
  const [setup, setSetup] = useState<'unknown' | 'open' | 'done' | Problem>('unknown')
  const loadSetup = useCallback(async () => {
    const answer = await request<SetupState>('operator/setup')
    if (answer.ok) setSetup(answer.data.open ? 'open' : 'done')
    else setSetup(answer.problem)
  }, [])
  useEffect(() => void loadSetup(), [loadSetup])
  if (setup === 'unknown') return null
  if (setup === 'open') return <Setup onDone={() => setSetup('done')} />
  if (setup !== 'done') {
    return <Unreachable title={say('title')} problem={setup} retry={() => void loadSetup()} />
  }
  return (
    <SessionProvider title={say('title')}>
      <CurrentPage />
    </SessionProvider>
  )
}

function CurrentPage() {
  const { say } = useLanguage()
  const { page, id, part } = useOperatorRoute()
  const current = PAGES.find((one) => one.page === page)
  const isAccount = page === ACCOUNT
  const { count } = usePendingApprovals()
  return (
    <Shell
      owner={say('title')}
      items={PAGES.map((one) => ({
        href: hrefTo(one.page),
        label: say(one.page),
        icon: one.icon,
        isCurrent: one === current,
        count: one.page === 'approvals' ? count : 0,
      }))}
      tools={<Account href={ACCOUNT_HREF} />}
    >
      <FactorReminder href={ACCOUNT_HREF} />
      {current ? (
        // The key resets the state of the page when the page or its subject changes.
        <current.component key={`${page} ${id}`} id={id} part={part} />
      ) : isAccount ? (
        <PageFrame title={say('yourAccount')}>
          <OwnAccount />
        </PageFrame>
      ) : (
        <PageFrame title={say('title')}>
          <Empty title={say('noPage')} />
        </PageFrame>
      )}
    </Shell>
  )
}
