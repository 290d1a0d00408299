import type { SecurityEvent, SecurityEventList } from '@florin/contract/securityEvents.js'
import { Empty, PagedList } from '../console/states.tsx'
import { RowTime } from '../console/Table.tsx'
import { useStaffLanguage } from '../language.tsx'
import { usePages } from '../query.ts'
import { withoutStore } from '../store/actor.ts'
import { useDeviceText } from './device.ts'

type SecurityEventsProps = {
  /** The list to read, such as `account/security-events`. */
  path: string
  /** Shows whose event it is, for a list of several accounts. */
  showsAccounts?: boolean
  timeZone?: string | undefined
}

/** Security events as sentences, newest first. */
export function SecurityEvents({ path, showsAccounts = false, timeZone }: SecurityEventsProps) {
  const { translate } = useStaffLanguage()
  const list = usePages<SecurityEventList>(path)
  return (
    <PagedList list={list} lines={3}>
      {(pages) => {
        const events = pages.flatMap((page) => page.events)
        if (events.length === 0) return <Empty title={translate('noSecurityEvents')} />
        return (
          <ul className="event-list" aria-label={translate('securityEvents')}>
            {events.map((event) => (
              <li key={event.id}>
                <div className="event-title">
                  <EventSentence event={event} />
                  <RowTime at={event.at} timeZone={timeZone} />
                </div>
                {showsAccounts && <bdi>{event.account_email ?? event.account_id}</bdi>}
                <DeviceAndAddress event={event} />
                {isByAnother(event) && (
                  <span className="soft small">
                    {translate('byActor', { actor: withoutStore(event.actor) })}
                  </span>
                )}
              </li>
            ))}
          </ul>
        )
      }}
    </PagedList>
  )
}

/** What happened, with the label of a key or token. */
function EventSentence({ event: { kind, details } }: { event: SecurityEvent }) {
  const { translate } = useStaffLanguage()
  const label = labelOf(details)
  return (
    <strong>
      {translate(`event_${kind}`)}
      {label !== '' && (
        <>
          : <bdi>{label}</bdi>
        </>
      )}
    </strong>
  )
}

/** Nothing if both are unknown. */
function DeviceAndAddress({ event: { user_agent: userAgent, address } }: { event: SecurityEvent }) {
  const device = useDeviceText()(userAgent)
  if (device === null && address === '') return null
  return (
    <span className="soft small">
      {device}
      {device && address && ' · '}
      {address && <bdi>{address}</bdi>}
    </span>
  )
}

/** If the owner of the account acted, the actor begins with the email address of the account, or is the wallet. */
const isByAnother = ({ account_email: email, account_id: id, actor }: SecurityEvent) =>
  email === null ? actor !== `wallet:${id}` : !actor.startsWith(email)

function labelOf(details: unknown): string {
  if (typeof details !== 'object' || details === null) return ''
  const { label, api_key: apiKey } = details as { label?: unknown; api_key?: unknown }
  return [label, apiKey].find((text) => typeof text === 'string' && text !== '')?.toString() ?? ''
}
