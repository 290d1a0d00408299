import type { LedgerAuditList, Load, Nodes } from '@florin/contract/platform.js'
import type { WebhookQueue } from '@florin/contract/webhooks.js'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { RelativeTime } from '../../kit/console/Table.tsx'
import { Icon, Notice } from '../../kit/display.tsx'
import { useResource } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'
import { hrefTo } from '../route.ts'
import { Business } from './Business.tsx'
import { findIssues, type SystemStatus } from './issues.ts'

const REFRESH_MS = 10_000

/** The open issues first, then the business, then the service. */
export function OverviewPage() {
  const { translate } = useLanguage()
  const nodes = useResource<Nodes>('nodes', REFRESH_MS)
  const load = useResource<Load>('load', REFRESH_MS)
  const queue = useResource<WebhookQueue>('webhooks', REFRESH_MS)
  // More than one, because the latest may not be finished.
  const audits = useResource<LedgerAuditList>('ledger-audits?limit=10', REFRESH_MS)
  const parts = [nodes, load, queue, audits]
  const all = {
    ...nodes,
    problem: parts.find(({ problem }) => problem !== null)?.problem ?? null,
    data:
      nodes.data && load.data && queue.data && audits.data
        ? { ...nodes.data, ...load.data, ...queue.data, ...audits.data }
        : null,
    reload: () => {
      for (const { reload } of parts) reload()
    },
  }
  return (
    <PageFrame title={translate('overview')}>
      <Loaded resource={all} lines={1}>
        {(status) => <Issues status={status} />}
      </Loaded>
      {/* The business figures wait for the issues, which would push them down. */}
      {(all.data ?? all.problem) && <Business />}
      {all.data && <Tiles status={all.data} />}
    </PageFrame>
  )
}

function Issues({ status }: { status: SystemStatus }) {
  const { translate } = useLanguage()
  const issues = findIssues(status, translate)
  if (issues.length === 0) {
    return <Notice tone="completed">{translate('noProblems')}</Notice>
  }
  return (
    <section aria-labelledby="issues" className="stack">
      <h2 id="issues" className="visually-hidden">
        {translate('problems')}
      </h2>
      <ul className="issues">
        {issues.map(({ page, isSevere, text }) => (
          <li key={text}>
            <a
              className={`notice ${isSevere ? 'tone-failed' : 'tone-expired'}`}
              href={hrefTo(page)}
            >
              <Icon name={isSevere ? 'failed' : 'warning'} />
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Tiles({ status }: { status: SystemStatus }) {
  const { translate, locale } = useLanguage()
  const { nodes, minutes, queue, audits } = status
  const now = minutes.at(-1)
  const waiting = queue.reduce((total, { waiting }) => total + waiting, 0)
  const [audit] = audits
  const tiles = [
    ['health', translate('requestsPerSecond'), numberText(now?.requests_per_second ?? 0, locale)],
    ['health', translate('p95'), now?.p95_ms ? numberText(now.p95_ms, locale) : '–'],
    ['health', translate('nodes'), numberText(nodes.length, locale)],
    ['webhooks', translate('webhooksWaiting'), numberText(waiting, locale)],
  ] as const
  return (
    <section className="stack" aria-labelledby="service">
      <h2 id="service">{translate('group_service')}</h2>
      <div className="tiles">
        {tiles.map(([page, name, value]) => (
          <a key={name} className="card tile" href={hrefTo(page)}>
            <span className="soft small">{name}</span>
            <strong>{value}</strong>
          </a>
        ))}
        <a className="card tile" href={hrefTo('ledger')}>
          <span className="soft small">{translate('lastAudit')}</span>
          <strong>{translate(audit?.state ?? 'never')}</strong>
          {audit && <RelativeTime at={audit.started_at} />}
        </a>
      </div>
    </section>
  )
}
