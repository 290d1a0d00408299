import type { LedgerAudit, LedgerAuditList } from '@florin/contract/platform.js'
import { useState } from 'react'
import { ActionButton, Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, PagedList, PagedTable } from '../../kit/console/states.tsx'
import { Table, When } from '../../kit/console/Table.tsx'
import { Checkbox } from '../../kit/controls.tsx'
import { Facts, Notice } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

const RUNNING_REFRESH_MS = 1_000

/** The audits of the ledger, and a button to run one. */
export function LedgerPage() {
  const { say } = useLanguage()
  const { request } = useSession()
  const list = usePages<LedgerAuditList>('ledger-audits?limit=10', {
    refreshMs: (page) => page?.audits[0]?.state === 'running' && RUNNING_REFRESH_MS,
  })
  const [latest] = list.pages[0]?.audits ?? []
  const [isFull, setFull] = useState(false)
  const isEarlier = (audit: LedgerAudit) => audit !== latest
  return (
    <PageFrame
      title={say('ledger')}
      actions={
        <ActionButton
          label={say('runAudit')}
          look="primary"
          confirm={say('runAudit')}
          run={() => request('ledger-audits', { method: 'POST', body: { full: isFull } })}
          onDone={list.reload}
          onOpen={() => setFull(false)}
        >
          <p>{say('runAuditNote')}</p>
          <Checkbox label={say('fullAudit')} isChecked={isFull} onChange={setFull} />
          <p className="small soft">{say('fullAuditNote')}</p>
        </ActionButton>
      }
    >
      <PagedList list={list} footer={null}>
        {() => (latest ? <Latest audit={latest} /> : <Empty title={say('auditNever')} />)}
      </PagedList>
      {list.pages.some((page) => page.audits.some(isEarlier)) && (
        <>
          <h2>{say('earlierAudits')}</h2>
          <PagedTable
            list={{ ...list, problem: null }}
            rowsOf={(page) => page.audits.filter(isEarlier)}
            label={say('earlierAudits')}
            keyOf={({ audit_id }) => audit_id}
            empty={null}
            columns={[
              [say('time'), ({ started_at: at }) => <When at={at} />],
              [say('result'), ({ state }) => <AuditBadge state={state} />],
              [say('findings'), ({ findings }) => findings.length, 'end'],
              [say('by'), (one) => <bdi>{one.started_by}</bdi>, 'extra'],
            ]}
          />
        </>
      )}
    </PageFrame>
  )
}

function Latest({ audit }: { audit: LedgerAudit }) {
  const { say } = useLanguage()
  const { state, totals, checks, checks_done: done, findings, audit_log: log, seals } = audit
  const percent = (share: number | null) => Math.round((share ?? 0) * 100)
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
          [say('started'), <When key="at" at={audit.started_at} />],
          [say('finished'), audit.finished_at && <When key="end" at={audit.finished_at} />],
          [say('by'), <bdi key="by">{audit.started_by}</bdi>],
          [say('payments'), totals?.payments],
          [say('transfers'), totals?.transfers],
          [say('walletTransfers'), totals?.wallet_transfers],
          [
            say('sealedDays'),
            seals &&
              seals.days > 0 &&
              say('sealedDaysChecked', {
                checked: seals.checked_again,
                days: seals.days,
                chance: percent(seals.chance),
                many: percent(seals.chance_in_30),
              }),
          ],
          [say('newSealedDays'), seals && seals.new_days > 0 && seals.new_days],
          [
            say('auditLogEntries'),
            log && say('sealedEntries', { sealed: log.sealed, unsealed: log.unsealed }),
          ],
          [
            say('auditHead'),
            log?.head && (
              <code key="head" className="long-code">
                {log.head}
              </code>
            ),
          ],
        ]}
      />
      {log?.head && <p className="small soft">{say('auditHeadNote')}</p>}
      {findings.length > 0 && (
        <div lang="en" dir="ltr">
          <Table
            label={say('findings')}
            rows={findings}
            keyOf={({ check, subject }) => `${check} ${subject}`}
            columns={[
              [say('check'), ({ check }) => check],
              [say('subject'), ({ subject }) => subject],
              [say('expected'), ({ expected }) => expected],
              [say('found'), ({ found }) => found],
            ]}
          />
        </div>
      )}
      {findings.length > 0 && <Notice tone="failed">{say('findingsNote')}</Notice>}
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
  const { say } = useLanguage()
  return <Badge tone={TONES[state]} text={say(state)} />
}
