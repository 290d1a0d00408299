import { mayOpen } from '@florin/server/core/pages.js'
import { PageFrame } from '../kit/console/PageFrame.tsx'
import { Shell } from '../kit/console/Shell.tsx'
import { Empty } from '../kit/console/states.tsx'
import { ModeSwitch } from '../kit/store/ModeSwitch.tsx'
import { SessionProvider, useSession } from '../kit/store/session.tsx'
import { Account } from './Account.tsx'
import { useLanguage } from './language.ts'
import { PAGES } from './pages.ts'
import { useDashboardPlace } from './place.ts'

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
