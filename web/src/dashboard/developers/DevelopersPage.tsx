import '../dashboard.css'
import { PageFrame, Tabs } from '../../kit/console/Shell.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'
import { Keys } from './Keys.tsx'
import { TryOut } from './TryOut.tsx'
import { WebhookLog } from './WebhookLog.tsx'

const PARTS = ['keys', 'webhooks', 'tryOut'] as const
const COMPONENTS = { keys: Keys, webhooks: WebhookLog, tryOut: TryOut }

/** The API keys, the webhook log and the page to try a payment. API keys are for owners only. */
export function DevelopersPage({ id }: { id: string }) {
  const { translate } = useLanguage()
  const { account } = useSession()
  const { hrefTo } = useDashboardRoute()
  const allowedParts = PARTS.filter((part) => part !== 'keys' || account.person.role === 'owner')
  const current = allowedParts.find((part) => part === id) ?? allowedParts[0]!
  const Part = COMPONENTS[current]
  return (
    <PageFrame title={translate('developers')}>
      <Tabs
        label={translate('developers')}
        tabs={allowedParts.map((part) => ({
          href: hrefTo('developers', part),
          label: translate(part),
          isCurrent: part === current,
        }))}
      />
      <Part />
    </PageFrame>
  )
}
