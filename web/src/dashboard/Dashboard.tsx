import { mayOpen, type PageName } from '@florin/server/core/pages.js'
import type { IconName } from '@florin/shared/icons.js'
import type { ComponentType } from 'react'
import { AccountMenu } from '../kit/console/AccountMenu.tsx'
import { PageFrame, Shell } from '../kit/console/Shell.tsx'
import { Empty } from '../kit/console/states.tsx'
import { basePath } from '../kit/mount.tsx'
import { ModeSwitch, SessionProvider, useSession } from '../kit/store/session.tsx'
import { BalancePage } from './balance/BalancePage.tsx'
import { DevelopersPage } from './developers/DevelopersPage.tsx'
import { useLanguage } from './language.ts'
import { OverviewPage } from './overview/OverviewPage.tsx'
import type { PageProps } from './pageProps.ts'
import { PaymentsPage } from './payments/PaymentsPage.tsx'
import { useDashboardPlace } from './place.ts'
import { SettingsPage } from './settings/SettingsPage.tsx'

export function Dashboard() {
  const { say } = useLanguage()
  return (
    <SessionProvider title={say('title')}>
      <Desk />
    </SessionProvider>
  )
}

function Desk() {
  const { say } = useLanguage()
  const { who } = useSession()
  const { mode, setMode, page, id, hrefTo } = useDashboardPlace()
  const own = PAGES.filter((one) => mayOpen(who.person.role, one.page))
  const current = page === '' ? own[0] : PAGES.find((one) => one.page === page)
  const Component = current && own.includes(current) ? current.component : null
  return (
    <Shell
      owner={who.store.name}
      isSandbox={mode === 'sandbox'}
      items={own.map((one) => ({
        href: hrefTo(one.page),
        label: say(one.page),
        icon: one.icon,
        isCurrent: one === current,
      }))}
      tools={
        <>
          <ModeSwitch mode={mode} setMode={setMode} />
          <Account />
        </>
      }
    >
      {Component ? (
        // Another mode, page or payment is another page, with nothing left of the last one.
        <Component key={`${mode} ${page} ${id}`} id={id} />
      ) : (
        <PageFrame title={say('title')}>
          <Empty title={current ? say('notYours') : say('noPage')} />
        </PageFrame>
      )}
    </Shell>
  )
}

export function Account() {
  const { say } = useLanguage()
  const { who, signOut } = useSession()
  const { person, store } = who
  return (
    <AccountMenu
      title={say('account')}
      signOut={signOut}
      facts={[
        [say('name'), person.name],
        [say('email'), <bdi key="email">{person.email}</bdi>],
        [say('role'), say(person.role)],
        [say('store'), store.name],
      ]}
    >
      {who.may.includes('create') && (
        <a className="button button-quiet button-wide" href={`${basePath}/till`}>
          {say('openTill')}
        </a>
      )}
    </AccountMenu>
  )
}

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
