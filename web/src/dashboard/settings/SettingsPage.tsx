import type { StoreSettings } from '@florin/contract/store.js'
import '../dashboard.css'
import { SecurityEvents } from '../../kit/account/SecurityEvents.tsx'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { useResource } from '../../kit/query.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { Limits } from './Limits.tsx'
import { Logo } from './Logo.tsx'
import { Profile } from './Profile.tsx'
import { SecondFactor } from './SecondFactor.tsx'
import { Team } from './Team.tsx'
import { TillPage } from './TillPage.tsx'

const TILL = 'till'
const TEAM = 'team'
const SECURITY = 'security'

export function SettingsPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const isOwner = account.person.role === 'owner'
  const isTill = id === TILL
  const isTeam = isOwner && id === TEAM
  const isSecurity = isOwner && id === SECURITY
  const isProfile = !isTill && !isTeam && !isSecurity
  const tab = (part: string, label: string, isCurrent: boolean) => ({
    href: hrefTo('settings', part),
    label,
    isCurrent,
  })
  const ownerTabs = [
    tab(TEAM, translate('team'), isTeam),
    tab(SECURITY, translate('securityEvents'), isSecurity),
  ]
  return (
    <PageFrame title={translate('settings')}>
      <Tabs
        label={translate('settings')}
        tabs={[
          { href: hrefTo('settings'), label: translate('profile'), isCurrent: isProfile },
          tab(TILL, translate('till'), isTill),
          ...(isOwner ? ownerTabs : []),
        ]}
      />
      {isTill && <TillPage />}
      {isTeam && <TeamSettings />}
      {isSecurity && (
        <section className="card">
          <SecurityEvents path="security-events" showsAccounts timeZone={account.store.time_zone} />
        </section>
      )}
      {isProfile && <StoreSettingsForms isOwner={isOwner} />}
    </PageFrame>
  )
}

function TeamSettings() {
  const resource = useResource<StoreSettings>('settings')
  return (
    <>
      <Team />
      <Loaded resource={resource}>
        {(settings) => <SecondFactor settings={settings} onDone={resource.reload} />}
      </Loaded>
    </>
  )
}

function StoreSettingsForms({ isOwner }: { isOwner: boolean }) {
  const { query } = useDashboardRoute()
  const resource = useResource<StoreSettings>('settings')
  return (
    <Loaded resource={resource}>
      {(settings) => (
        <div className="columns">
          <Profile settings={settings} isOwner={isOwner} />
          <div className="stack">
            <Logo
              settings={settings}
              isOwner={isOwner}
              isOpen={query.get('open') === 'logo'}
              onDone={resource.reload}
            />
            <Limits settings={settings} />
          </div>
        </div>
      )}
    </Loaded>
  )
}
