import type { Approval, ApprovalList } from '@florin/contract/approvals.js'
import { ActionButton, Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded, PagedTable } from '../../kit/console/states.tsx'
import { type Column, Table, TwoLines, When } from '../../kit/console/Table.tsx'
import { Facts, Money, useMoneyText } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { Actor } from '../Actor.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../route.ts'
import { useSession } from '../session.ts'
import { ApprovalLimitsSection } from './ApprovalLimits.tsx'
import { usePendingApprovals } from './pending.ts'

/** Movements of money that wait for a second operator, the limits, and earlier decisions. */
export function ApprovalsPage() {
  const { say } = useLanguage()
  const { resource } = usePendingApprovals()
  const decided = usePages<ApprovalList>('approvals?state=decided&limit=20')
  const columns = useColumns()
  function reload(): void {
    resource.reload()
    decided.reload()
  }
  return (
    <PageFrame title={say('approvals')}>
      <Loaded resource={resource} lines={2}>
        {({ approvals }) => (
          <Table
            label={say('approvalsPending')}
            rows={approvals}
            keyOf={({ approval_id: id }) => id}
            empty={<Empty title={say('noApprovals')} note={say('noApprovalsHelp')} />}
            columns={[
              ...columns,
              [say('expires'), ({ expires_at: at }) => <When at={at} />, 'extra'],
              [
                say('actions'),
                (approval) => <Decisions approval={approval} onDone={reload} />,
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
      <ApprovalLimitsSection />
      <h2>{say('approvalsDecided')}</h2>
      <PagedTable
        list={decided}
        rowsOf={(page) => page.approvals}
        label={say('approvalsDecided')}
        keyOf={({ approval_id: id }) => id}
        empty={<p className="soft">{say('noDecisions')}</p>}
        columns={[
          ...columns,
          [say('state'), (approval) => <StateBadge approval={approval} />],
          [say('decidedBy'), ({ decided_by: by }) => by && <Actor name={by} />, 'extra'],
        ]}
      />
    </PageFrame>
  )
}

/** The columns of both lists. */
function useColumns(): readonly Column<Approval>[] {
  const { say } = useLanguage()
  return [
    [
      say('action'),
      (approval) => (
        <>
          <TwoLines
            first={say(`move_${approval.kind}`)}
            second={approval.mode === 'live' ? '' : say(modeWord(approval.mode))}
          />
          <Subject approval={approval} />
        </>
      ),
    ],
    [say('amount'), ({ amount, currency }) => <Money amount={amount} currency={currency} />, 'end'],
    [say('requestedBy'), ({ requested_by: by }) => <Actor name={by} />, 'extra'],
    [say('time'), ({ requested_at: at }) => <When at={at} />, 'extra'],
  ]
}

/** The store or the payer. */
function Subject({ approval }: { approval: Approval }) {
  const { store_id: store, wallet_id: wallet, name } = approval
  const href = store === null ? hrefTo('wallets', wallet!) : hrefTo('stores', String(store))
  return (
    <a href={href} dir="auto">
      {name}
    </a>
  )
}

const TONES: Record<Approval['state'], Tone> = {
  pending: 'wait',
  approved: 'good',
  denied: 'bad',
  expired: 'warn',
}

function StateBadge({ approval: { state } }: { approval: Approval }) {
  const { say } = useLanguage()
  return <Badge tone={TONES[state]} text={say(`approval_${state}`)} />
}

function Decisions({ approval, onDone }: { approval: Approval; onDone: () => void }) {
  const { say } = useLanguage()
  if (!approval.can_decide) return <span className="soft small">{say('anotherDecides')}</span>
  return (
    <div className="row-actions">
      <DecideButton approval={approval} decision="approve" onDone={onDone} />
      <DecideButton approval={approval} decision="deny" onDone={onDone} />
    </div>
  )
}

type DecideProps = { approval: Approval; decision: 'approve' | 'deny'; onDone: () => void }

function DecideButton({ approval, decision, onDone }: DecideProps) {
  const { say } = useLanguage()
  const { request } = useSession()
  const moneyText = useMoneyText()
  const { approval_id: id, amount, currency, note } = approval
  const label = say(decision)
  const text = moneyText(amount, currency)
  return (
    <ActionButton<Approval>
      label={label}
      subject={text}
      confirm={decision === 'approve' ? `${label} ${text}` : label}
      isDanger={decision === 'deny'}
      conflict={say('approvalClosed')}
      run={() => request(`approvals/${id}`, { method: 'POST', body: { decision } })}
      onDone={onDone}
    >
      <p>{say(decision === 'approve' ? 'approveNote' : 'denyNote')}</p>
      <Facts
        facts={[
          [say('action'), say(`move_${approval.kind}`)],
          [say('subject'), <Subject key="subject" approval={approval} />],
          [say('mode'), say(modeWord(approval.mode))],
          [say('amount'), text],
          [say('note'), note && <bdi key="note">{note}</bdi>],
          [say('requestedBy'), <bdi key="by">{approval.requested_by}</bdi>],
        ]}
      />
    </ActionButton>
  )
}
