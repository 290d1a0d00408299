import { useEffect } from 'react'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Facts, Icon } from '../../kit/display.tsx'
import { Act } from '../Act.tsx'
import { Badge, type Tone } from '../Badge.tsx'
import { useLanguage } from '../language.ts'
import { Paged } from '../Paged.tsx'
import { TIME_ZONE, useSession } from '../session.ts'
import type { LedgerAudit } from '../types.ts'
import { usePages } from '../usePages.ts'

const RUNNING_MS = 1_000

/** The proof that no cent is lost: its last result and time, and a way to run it again. */
export function LedgerPage() {
  const { say } = useLanguage()
  const { ask } = useSession()
  const pages = usePages<LedgerAudit, 'audits'>('ledger-audits?limit=10', 'audits')
  const { again } = pages.asked
  const [latest, ...earlier] = pages.rows
  const isRunning = latest?.state === 'running'
  useEffect(() => {
    if (!isRunning) return
    const timer = setInterval(again, RUNNING_MS)
    return () => clearInterval(timer)
  })
  return (
    <PageFrame
      title={say('ledger')}
      actions={
        <Act
          label={say('runAudit')}
          look="primary"
          confirm={say('runAudit')}
          run={() => ask('ledger-audits', { method: 'POST' })}
          onDone={again}
        >
          <p>{say('runAuditNote')}</p>
        </Act>
      }
    >
      <Loaded asked={pages.asked}>
        {() => (latest ? <Latest audit={latest} /> : <Empty title={say('auditNever')} />)}
      </Loaded>
      {earlier.length > 0 && (
        <>
          <h2>{say('earlierAudits')}</h2>
          <Paged
            pages={{ ...pages, rows: earlier }}
            label={say('earlierAudits')}
            keyOf={({ audit_id }) => audit_id}
            empty={null}
            columns={[
              {
                title: say('time'),
                cell: ({ started_at: at }) => <When at={at} timeZone={TIME_ZONE} />,
              },
              { title: say('result'), cell: ({ state }) => <AuditBadge state={state} /> },
              {
                title: say('findings'),
                isEnd: true,
                cell: ({ findings }) => findings.length,
              },
              { title: say('by'), isExtra: true, cell: (one) => <bdi>{one.started_by}</bdi> },
            ]}
          />
        </>
      )}
    </PageFrame>
  )
}

function Latest({ audit }: { audit: LedgerAudit }) {
  const { say } = useLanguage()
  const { state, totals, checks, checks_done: done, findings } = audit
  return (
    <section className="card stack" aria-label={say('lastAudit')}>
      <div className="audit-result" role="status">
        <AuditBadge state={state} />
        <p>{say(`${state}Note`)}</p>
      </div>
      {state === 'running' && (
        <label className="stack">
          <span className="small soft">{say('checksDone', { done, checks })}</span>
          <progress max={checks} value={done} />
        </label>
      )}
      <Facts
        facts={[
          [say('started'), <When key="at" at={audit.started_at} timeZone={TIME_ZONE} />],
          [
            say('finished'),
            audit.finished_at && <When key="end" at={audit.finished_at} timeZone={TIME_ZONE} />,
          ],
          [say('by'), <bdi key="by">{audit.started_by}</bdi>],
          [say('payments'), totals?.payments],
          [say('transfers'), totals?.transfers],
          [say('walletTransfers'), totals?.wallet_transfers],
        ]}
      />
      {findings.length > 0 && (
        <div lang="en" dir="ltr">
          <Table
            label={say('findings')}
            rows={findings}
            keyOf={({ check, subject }) => `${check} ${subject}`}
            columns={[
              { title: say('check'), cell: ({ check }) => check },
              { title: say('subject'), cell: ({ subject }) => subject },
              { title: say('expected'), cell: ({ expected }) => expected },
              { title: say('found'), cell: ({ found }) => found },
            ]}
          />
        </div>
      )}
      {findings.length > 0 && (
        <p className="notice tone-failed">
          <Icon name="warning" />
          {say('findingsNote')}
        </p>
      )}
    </section>
  )
}

const TONES: Record<LedgerAudit['state'], Tone> = {
  running: 'wait',
  sound: 'good',
  unsound: 'bad',
  interrupted: 'warn',
}

export function AuditBadge({ state }: { state: LedgerAudit['state'] }) {
  const { say } = useLanguage()
  return <Badge tone={TONES[state]} word={say(state)} />
}
