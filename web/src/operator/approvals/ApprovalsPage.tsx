import type { Approval, ApprovalList } from '@florin/contract/approvals.js'
import { ActionButton, Badge, type Tone } from '../../kit/console/actions.tsx'
import { PageFrame } from '../../kit/console/Shell.tsx'
import { Empty, Loaded, PagedTable } from '../../kit/console/states.tsx'
import { type Column, RelativeTime, Table, TwoLines } from '../../kit/console/Table.tsx'
import { Facts, Money, useMoneyText } from '../../kit/display.tsx'
import { usePages } from '../../kit/query.ts'
import { modeWord } from '../../kit/store/payment.ts'
import { Actor } from '../Actor.tsx'
import { useLanguage } from '../language.ts'
import { hrefTo } from '../route.ts'
import { useSession } from '../session.ts'
import { ApprovalLimitsSection } from './ApprovalLimits.tsx'
import { REFRESH_MS, usePendingApprovals } from './pending.ts'

/** Movements of money that wait for a second operator, the limits, and earlier decisions. */
export function ApprovalsPage() {
  const { translate } = useLanguage()
  const { resource } = usePendingApprovals()
  const decided = usePages<ApprovalList>('approvals?state=decided&limit=20', {
    refreshMs: REFRESH_MS,
  })
  const columns = useColumns()
  function reload(): void {
    resource.reload()
    decided.reload()
  }
  return (
    <PageFrame title={translate('approvals')}>
      <Loaded resource={resource} lines={2}>
        {({ approvals }) => (
          <Table
            label={translate('approvalsPending')}
            rows={approvals}
            keyOf={({ approval_id: id }) => id}
            empty={<Empty title={translate('noApprovals')} note={translate('noApprovalsHelp')} />}
            columns={[
              ...columns,
              [translate('expires'), ({ expires_at: at }) => <RelativeTime at={at} />, 'extra'],
              [
                translate('actions'),
                (approval) => <Decisions approval={approval} onDone={reload} />,
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
      <ApprovalLimitsSection />
      <h2>{translate('approvalsDecided')}</h2>
      <PagedTable
        list={decided}
        rowsOf={(page) => page.approvals}
        label={translate('approvalsDecided')}
        keyOf={({ approval_id: id }) => id}
        empty={<p className="soft">{translate('noDecisions')}</p>}
        columns={[
          ...columns,
          [translate('state'), (approval) => <StateBadge approval={approval} />],
          [translate('decidedBy'), ({ decided_by: by }) => by && <Actor name={by} />, 'extra'],
        ]}
      />
    </PageFrame>
  )
}

/** The columns of both lists. */
function useColumns(): readonly Column<Approval>[] {
  const { translate } = useLanguage()
  return [
    [
      translate('action'),
      (approval) => (
        <>
          <TwoLines
            first={translate(`move_${approval.kind}`)}
            second={approval.mode === 'live' ? '' : translate(modeWord(approval.mode))}
          />
          <Subject approval={approval} />
        </>
      ),
    ],
    [
      translate('amount'),
      ({ amount, currency }) => <Money amount={amount} currency={currency} />,
      'end',
    ],
    [translate('requestedBy'), ({ requested_by: by }) => <Actor name={by} />, 'extra'],
    [translate('time'), ({ requested_at: at }) => <RelativeTime at={at} />, 'extra'],
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
  const { translate } = useLanguage()
  return <Badge tone={TONES[state]} text={translate(`approval_${state}`)} />
}

function Decisions({ approval, onDone }: { approval: Approval; onDone: () => void }) {
  const { translate } = useLanguage()
  if (!approval.can_decide) return <span className="soft small">{translate('anotherDecides')}</span>
  return (
    <div className="row-actions">
      <DecideButton approval={approval} decision="approve" onDone={onDone} />
      <DecideButton approval={approval} decision="deny" onDone={onDone} />
    </div>
  )
}

type DecideProps = { approval: Approval; decision: 'approve' | 'deny'; onDone: () => void }

function DecideButton({ approval, decision, onDone }: DecideProps) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const moneyText = useMoneyText()
  const { approval_id: id, amount, currency, note } = approval
  const label = translate(decision)
  const amountText = moneyText(amount, currency)
  return (
    <ActionButton<Approval>
      label={label}
      subject={amountText}
      confirmLabel={decision === 'approve' ? `${label} ${amountText}` : label}
      isDanger={decision === 'deny'}
      conflictText={translate('approvalClosed')}
      run={() => request(`approvals/${id}`, { method: 'POST', body: { decision } })}
      onDone={onDone}
    >
      <p>{translate(decision === 'approve' ? 'approveNote' : 'denyNote')}</p>
      <Facts
        facts={[
          [translate('action'), translate(`move_${approval.kind}`)],
          [translate('subject'), <Subject key="subject" approval={approval} />],
          [translate('mode'), translate(modeWord(approval.mode))],
          [translate('amount'), amountText],
          [translate('note'), note && <bdi key="note">{note}</bdi>],
          [translate('requestedBy'), <Actor key="by" name={approval.requested_by} />],
        ]}
      />
    </ActionButton>
  )
}
