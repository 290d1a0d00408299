import type { ApprovalLimits } from '@florin/contract/approvals.js'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Money } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { CurrencyField } from '../forms.tsx'
import { useLanguage } from '../language.ts'
import { isCurrency } from '../numbers.ts'
import { useSession } from '../session.ts'

/** The largest amount of each currency that one operator can move alone. */
export function ApprovalLimitsSection() {
  const { say } = useLanguage()
  const resource = useResource<ApprovalLimits>('approval-limits')
  return (
    <section className="stack" aria-labelledby="limits">
      <div className="page-title">
        <h2 id="limits">{say('approvalLimits')}</h2>
        <Allowed permission="admin">
          <SetLimit onDone={resource.reload} />
        </Allowed>
      </div>
      <p className="small soft">{say('approvalLimitsNote')}</p>
      <Loaded resource={resource} lines={1}>
        {({ limits }) => (
          <Table
            label={say('approvalLimits')}
            rows={limits}
            keyOf={({ currency }) => currency}
            empty={<p className="soft">{say('noApprovalLimits')}</p>}
            columns={[
              [say('currency'), ({ currency }) => currency],
              [
                say('approvalLimit'),
                ({ amount, currency }) => <Money amount={amount} currency={currency} />,
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
    </section>
  )
}

function SetLimit({ onDone }: { onDone: () => void }) {
  const { say } = useLanguage()
  const { request } = useSession()
  const { fields, field, reset } = useFields({ currency: '', amount: '' })
  const { currency } = fields
  const amount = fields.amount.trim() === '' ? null : fields.amount.trim()
  return (
    <ActionButton<ApprovalLimits>
      label={say('setLimit')}
      isIncomplete={!isCurrency(currency)}
      onOpen={reset}
      run={() => request('approval-limits', { method: 'PUT', body: { currency, amount } })}
      onDone={onDone}
    >
      <CurrencyField label={say('currency')} help="USD" {...field('currency')} />
      <Field
        label={say('approvalLimit')}
        help={say('emptyIsNone')}
        {...field('amount')}
        inputMode="decimal"
      />
      <p className="small soft">{say('setLimitNote')}</p>
    </ActionButton>
  )
}
