import './operator.css'
import { useState } from 'react'
import { PageFrame } from '../kit/console/PageFrame.tsx'
import { Shell } from '../kit/console/Shell.tsx'
import { Empty } from '../kit/console/states.tsx'
import { request } from '../kit/request.ts'
import { useAnswer } from '../kit/resource.ts'
import { Unreachable } from '../kit/Unreachable.tsx'
import { Account } from './Account.tsx'
import { useLanguage } from './language.ts'
import { PAGES } from './pages.ts'
import { hrefTo, useOperatorPlace } from './place.ts'
import { Setup } from './Setup.tsx'
import { SessionProvider } from './session.ts'

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
