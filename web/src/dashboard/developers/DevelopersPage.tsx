import '../office.css'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardPlace } from '../place.ts'
import { Keys } from './Keys.tsx'
import { TryOut } from './TryOut.tsx'
import { WebhookLog } from './WebhookLog.tsx'

const PARTS = ['keys', 'webhooks', 'tryOut'] as const
const COMPONENTS = { keys: Keys, webhooks: WebhookLog, tryOut: TryOut }

/** Keys are the owner's; the rest is also for who looks after the shop. */
export function DevelopersPage({ id }: { id: string }) {
  const { say } = useLanguage()
  const { who } = useSession()
  const { hrefTo } = useDashboardPlace()
  const own = PARTS.filter((part) => part !== 'keys' || who.person.role === 'owner')
  const current = own.find((part) => part === id) ?? own[0]!
  const Part = COMPONENTS[current]
  return (
    <PageFrame title={say('developers')}>
      <Tabs
        label={say('developers')}
        tabs={own.map((part) => ({
          href: hrefTo('developers', part),
          label: say(part),
          isCurrent: part === current,
        }))}
      />
      <Part />
    </PageFrame>
  )
}
