import { PageFrame } from '../../kit/console/Shell.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { When } from '../../kit/console/Table.tsx'
import { Icon } from '../../kit/display.tsx'
import { useLanguage } from '../language.ts'
import { numberText } from '../numbers.ts'
import { hrefTo } from '../place.ts'
import { TIME_ZONE, useAsked } from '../session.ts'
import type { LedgerAudit, Minute, Node, Queue } from '../types.ts'
import { type Everything, findTroubles } from './troubles.ts'

const EVERY_MS = 10_000

/** What is wrong comes first; then how it is doing, in four numbers. */
export function OverviewPage() {
  const { say } = useLanguage()
  const nodes = useAsked<{ nodes: Node[] }>('nodes', EVERY_MS)
  const load = useAsked<{ minutes: Minute[] }>('load', EVERY_MS)
  const queue = useAsked<Queue>('webhooks', EVERY_MS)
  const audits = useAsked<{ audits: LedgerAudit[] }>('ledger-audits?limit=1', EVERY_MS)
  const parts = [nodes, load, queue, audits]
  const all = {
    ...nodes,
    problem: parts.find(({ problem }) => problem !== null)?.problem ?? null,
    data:
      nodes.data && load.data && queue.data && audits.data
        ? { ...nodes.data, ...load.data, ...queue.data, ...audits.data }
        : null,
    again: () => {
      for (const { again } of parts) again()
    },
  }
  return (
    <PageFrame title={say('overview')}>
      <Loaded asked={all}>
        {(data) => (
          <>
            <Troubles {...data} />
            <Tiles {...data} />
          </>
        )}
      </Loaded>
    </PageFrame>
  )
}

function Troubles(all: Everything) {
  const { say } = useLanguage()
  const troubles = findTroubles(all, say)
  if (troubles.length === 0) {
    return (
      <p className="notice tone-completed">
        <Icon name="completed" />
        {say('allWell')}
      </p>
    )
  }
  return (
    <section aria-labelledby="troubles" className="stack">
      <h2 id="troubles">{say('troubles')}</h2>
      <ul className="troubles">
        {troubles.map(({ page, isBad, text }) => (
          <li key={text}>
            <a className={`notice ${isBad ? 'tone-failed' : 'tone-expired'}`} href={hrefTo(page)}>
              <Icon name={isBad ? 'failed' : 'warning'} />
              <span>{text}</span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Tiles({ nodes, minutes, queue, audits }: Everything) {
  const { say, locale } = useLanguage()
  const now = minutes.at(-1)
  const waiting = queue.reduce((total, { waiting }) => total + waiting, 0)
  const [audit] = audits
  const tiles = [
    ['health', say('requestsPerSecond'), numberText(now?.requests_per_second ?? 0, locale)],
    ['health', say('p95'), String(now?.p95_ms ?? '–')],
    ['health', say('nodes'), numberText(nodes.length, locale)],
    ['webhooks', say('webhooksWaiting'), numberText(waiting, locale)],
  ] as const
  return (
    <div className="tiles">
      {tiles.map(([page, name, value]) => (
        <a key={name} className="card tile" href={hrefTo(page)}>
          <span className="soft small">{name}</span>
          <strong>{value}</strong>
        </a>
      ))}
      <a className="card tile" href={hrefTo('ledger')}>
        <span className="soft small">{say('lastAudit')}</span>
        <strong>{say(audit?.state ?? 'never')}</strong>
        {audit && <When at={audit.started_at} timeZone={TIME_ZONE} />}
      </a>
    </div>
  )
}
