import { mayOpen, type PageName } from '@florin/server/core/pages.js'
import type { IconName } from '@florin/shared/icons.js'
import { type ComponentType, lazy, Suspense } from 'react'
import { FactorReminder } from '../kit/account/FactorReminder.tsx'
import { OwnAccount } from '../kit/account/OwnAccount.tsx'
import { AccountMenu, PageFrame, Shell } from '../kit/console/Shell.tsx'
import { Empty } from '../kit/console/states.tsx'
import { basePath } from '../kit/request.ts'
import { useCurrentAccount, useLiveUpdates } from '../kit/store/live.ts'
import { ModeSwitch, SessionProvider, useSession } from '../kit/store/session.tsx'
import { BalancePage } from './balance/BalancePage.tsx'
import { DevelopersPage } from './developers/DevelopersPage.tsx'
import { useLanguage } from './language.ts'
import { LinksPage } from './links/LinksPage.tsx'
import { OverviewPage } from './overview/OverviewPage.tsx'
import { PaymentsPage } from './payments/PaymentsPage.tsx'
import { useDashboardRoute } from './route.ts'
import { SettingsPage } from './settings/SettingsPage.tsx'

type PageEntry = {
  /** The name in the URL, in `PAGE_ROLES` and in the words. */
  readonly page: PageName
  readonly icon: IconName
  readonly component: ComponentType<{ readonly id: string }>
}

/** The pages in the order of the navigation. */
const PAGES: readonly PageEntry[] = [
  { page: 'overview', icon: 'overview', component: OverviewPage },
  { page: 'payments', icon: 'list', component: PaymentsPage },
  { page: 'links', icon: 'link', component: LinksPage },
  { page: 'balance', icon: 'wallet', component: BalancePage },
  { page: 'developers', icon: 'code', component: DevelopersPage },
  { page: 'settings', icon: 'settings', component: SettingsPage },
]

const StandPage = lazy(() => import('./links/StandPage.tsx'))

/** The page of the signed-in account. Every role has it, and it is not in the navigation. */
const ACCOUNT = 'account'

export function Dashboard() {
  const { translate } = useLanguage()
  return (
    <SessionProvider title={translate('title')}>
      <CurrentPage />
    </SessionProvider>
  )
}

function CurrentPage() {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { mode, setMode, page, id, query, hrefTo } = useDashboardRoute()
  useLiveUpdates()
  useCurrentAccount()
  const allowedPages = PAGES.filter((entry) => mayOpen(account.person.role, entry.page))
  const current = page === '' ? allowedPages[0] : PAGES.find((entry) => entry.page === page)
  const accountHref = `#${mode}/${ACCOUNT}`
  const Component = current && allowedPages.includes(current) ? current.component : null
  // A sheet to print, without the navigation.
  if (page === 'links' && query.has('stand')) {
    return (
      <Suspense fallback={null}>
        <StandPage id={id} />
      </Suspense>
    )
  }
  return (
    <Shell
      owner={account.store.name}
      isSandbox={mode === 'sandbox'}
      items={allowedPages.map((entry) => ({
        href: hrefTo(entry.page),
        label: translate(entry.page),
        icon: entry.icon,
        isCurrent: entry === current,
      }))}
      tools={
        <>
          <ModeSwitch mode={mode} setMode={setMode} />
          <Account href={accountHref} />
        </>
      }
    >
      <FactorReminder href={accountHref} timeZone={account.store.time_zone} />
      {Component ? (
        // The key resets the state of the page when the mode, the page or the id changes.
        <Component key={`${mode} ${page} ${id}`} id={id} />
      ) : page === ACCOUNT ? (
        <PageFrame title={translate('yourAccount')}>
          <OwnAccount timeZone={account.store.time_zone} />
        </PageFrame>
      ) : (
        <PageFrame title={translate('title')}>
          <Empty title={current ? translate('pageForbidden') : translate('noPage')}>
            <a className="button" href={hrefTo(allowedPages[0]!.page)}>
              {translate(allowedPages[0]!.page)}
            </a>
          </Empty>
        </PageFrame>
      )}
    </Shell>
  )
}

function Account({ href }: { href: string }) {
  const { translate } = useLanguage()
  const { account, signOut } = useSession()
  const { person, store, may } = account
  return (
    <AccountMenu
      signOut={signOut}
      facts={[
        [translate('name'), person.name],
        [translate('email'), <bdi key="email">{person.email}</bdi>],
        [translate('role'), translate(person.role)],
        [translate('store'), store.name],
      ]}
      links={[
        { href, label: translate('accountSecurity') },
        ...(may.includes('create')
          ? [{ href: `${basePath}/till`, label: translate('openTill') }]
          : []),
      ]}
    />
  )
}
