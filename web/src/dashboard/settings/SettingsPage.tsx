import '../office.css'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { useAsked, useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import type { Settings } from '../types.ts'
import { Limits } from './Limits.tsx'
import { Logo } from './Logo.tsx'
import { Profile } from './Profile.tsx'
import { Team } from './Team.tsx'

const TEAM = 'team'

export function SettingsPage({ id }: { id: string }) {
  const { say } = useLanguage()
  const { who } = useSession()
  const { hrefTo } = useDashboardPlace()
  const isOwner = who.person.role === 'owner'
  const isTeam = isOwner && id === TEAM
  return (
    <PageFrame title={say('settings')}>
      {isOwner && (
        <Tabs
          label={say('settings')}
          tabs={[
            { href: hrefTo('settings'), label: say('profile'), isCurrent: !isTeam },
            { href: hrefTo('settings', TEAM), label: say('team'), isCurrent: isTeam },
          ]}
        />
      )}
      {isTeam ? <Team /> : <Store isOwner={isOwner} />}
    </PageFrame>
  )
}

function Store({ isOwner }: { isOwner: boolean }) {
  const asked = useAsked<Settings>('settings')
  return (
    <Loaded asked={asked}>
      {(settings) => (
        <div className="two">
          <Profile settings={settings} isOwner={isOwner} />
          <div className="stack">
            <Logo settings={settings} isOwner={isOwner} changed={asked.again} />
            <Limits settings={settings} />
          </div>
        </div>
      )}
    </Loaded>
  )
}
