import type { LedgerAudit, LedgerAuditList } from '@florin/contract/platform.js'
import { useState } from 'react'
import { ActionButton, Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedList, PagedTable } from '../../kit/console/states.tsx'
import { RelativeTime, Table } from '../../kit/console/Table.tsx'
import { Checkbox } from '../../kit/controls.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { Actor } from '../Actor.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'
import { isCutOff } from './findings.ts'

const RUNNING_REFRESH_MS = 1_000

/** The audits of the ledger, and a button to run one. */
export function LedgerPage() {
  const { translate } = useLanguage()
  const { request } = useSession()
  const list = usePages<LedgerAuditList>('ledger-audits?limit=10', {
    refreshMs: (page) => page?.audits[0]?.state === 'running' && RUNNING_REFRESH_MS,
  })
  const [latest] = list.pages[0]?.audits ?? []
  const [isFull, setFull] = useState(false)
  const isEarlier = (audit: LedgerAudit) => audit !== latest
  return (
    <PageFrame
      title={translate('ledger')}
      actions={
        <ActionButton
          label={translate('runAudit')}
          look="primary"
          run={() => request('ledger-audits', { method: 'POST', body: { full: isFull } })}
          onDone={list.reload}
          onOpen={() => setFull(false)}
        >
          <p>{translate('runAuditNote')}</p>
          <Checkbox label={translate('fullAudit')} isChecked={isFull} onChange={setFull} />
          <p className="small soft">{translate('fullAuditNote')}</p>
        </ActionButton>
      }
    >
      <PagedList list={list} footer={null}>
        {() =>
          latest ? <LatestAudit audit={latest} /> : <Empty title={translate('auditNever')} />
        }
      </PagedList>
      {list.pages.some((page) => page.audits.some(isEarlier)) && (
        <>
          <h2>{translate('earlierAudits')}</h2>
          <PagedTable
            list={{ ...list, problem: null }}
            rowsOf={(page) => page.audits.filter(isEarlier)}
            label={translate('earlierAudits')}
            keyOf={({ audit_id }) => audit_id}
            empty={null}
            columns={[
              [translate('time'), ({ started_at: at }) => <RelativeTime at={at} />],
              [translate('result'), ({ state }) => <AuditBadge state={state} />],
              [
                translate('findings'),
                (audit) => `${isCutOff(audit) ? '≥ ' : ''}${audit.findings.length}`,
                'end',
              ],
              [translate('by'), (audit) => <Actor name={audit.started_by} />, 'extra'],
            ]}
          />
        </>
      )}
    </PageFrame>
  )
}

function LatestAudit({ audit }: { audit: LedgerAudit }) {
  const { translate } = useLanguage()
  const { state, totals, checks, checks_done: done, findings, audit_log: log, seals } = audit
  const percent = (share: number | null) => Math.round((share ?? 0) * 100)
  return (
    <section className="card stack" aria-label={translate('lastAudit')}>
      <div className="audit-result" role="status">
        <AuditBadge state={state} />
        <p>{translate(`${state}Note`)}</p>
      </div>
      {state === 'running' && (
        <label className="stack">
          <span className="small soft">{translate('checksDone', { done, checks })}</span>
          <progress max={checks} value={done} />
        </label>
      )}
      <Facts
        facts={[
          [translate('started'), <RelativeTime key="at" at={audit.started_at} />],
          [
            translate('finished'),
            audit.finished_at && <RelativeTime key="end" at={audit.finished_at} />,
          ],
          [translate('by'), <Actor key="by" name={audit.started_by} />],
          [translate('payments'), totals?.payments],
          [translate('transfers'), totals?.transfers],
          [translate('walletTransfers'), totals?.wallet_transfers],
          [
            translate('sealedDays'),
            seals &&
              seals.days > 0 &&
              translate('sealedDaysChecked', {
                checked: seals.checked_again,
                days: seals.days,
                chance: percent(seals.chance),
                many: percent(seals.chance_in_30),
              }),
          ],
          [translate('newSealedDays'), seals && seals.new_days > 0 && seals.new_days],
          [
            translate('auditLogEntries'),
            log && translate('sealedEntries', { sealed: log.sealed, unsealed: log.unsealed }),
          ],
          [
            translate('auditHead'),
            log?.head && (
              <code key="head" className="long-code">
                {log.head}
              </code>
            ),
          ],
        ]}
      />
      {log?.head && <p className="small soft">{translate('auditHeadNote')}</p>}
      {findings.length > 0 && (
        <div lang="en" dir="ltr">
          <Table
            label={translate('findings')}
            rows={findings}
            keyOf={({ check, subject }) => `${check} ${subject}`}
            columns={[
              [translate('check'), ({ check }) => check],
              [translate('subject'), ({ subject }) => subject],
              [translate('expected'), ({ expected }) => expected],
              [translate('found'), ({ found }) => found],
            ]}
          />
        </div>
      )}
      {findings.length > 0 && <Notice tone="failed">{translate('findingsNote')}</Notice>}
    </section>
  )
}

const TONES: Record<LedgerAudit['state'], Tone> = {
  running: 'wait',
  sound: 'good',
  unsound: 'bad',
  interrupted: 'warn',
}

function AuditBadge({ state }: { state: LedgerAudit['state'] }) {
  const { translate } = useLanguage()
  return <Badge tone={TONES[state]} text={translate(state)} />
}
