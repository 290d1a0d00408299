import type { ApprovalLimits } from '@florin/contract/approvals.js'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Money } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { CurrencySelect } from '../../kit/pickers.tsx'
import { useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

/** The largest amount of each currency that one operator can move alone. */
export function ApprovalLimitsSection() {
  const { translate } = useLanguage()
  const resource = useResource<ApprovalLimits>('approval-limits')
  return (
    <section className="stack" aria-labelledby="limits">
      <div className="page-title">
        <h2 id="limits">{translate('approvalLimits')}</h2>
        <Allowed permission="admin">
          <SetLimit onDone={resource.reload} />
        </Allowed>
      </div>
      <p className="small soft">{translate('approvalLimitsNote')}</p>
      <Loaded resource={resource} lines={1}>
        {({ limits }) => (
          <Table
            label={translate('approvalLimits')}
            rows={limits}
            keyOf={({ currency }) => currency}
            empty={<p className="soft">{translate('noApprovalLimits')}</p>}
            columns={[
              [translate('currency'), ({ currency }) => currency],
              [
                translate('approvalLimit'),
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
  const { translate } = useLanguage()
  const { request } = useSession()
  const { fields, field, reset } = useFields({ currency: '', amount: '' })
  const { currency } = fields
  const checks = useChecks()
  return (
    <ActionButton<ApprovalLimits>
      label={translate('setLimit')}
      onOpen={reset}
      run={() => {
        const amount =
          fields.amount.trim() === '' ? null : parseTypedAmount(fields.amount, currency)
        return request('approval-limits', { method: 'PUT', body: { currency, amount } })
      }}
      onDone={onDone}
    >
      <CurrencySelect label={translate('currency')} {...field('currency')} />
      <Field
        label={translate('approvalLimit')}
        help={translate('emptyIsNone')}
        {...field('amount')}
        check={checks.amount(currency)}
        inputMode="decimal"
      />
      <p className="small soft">{translate('setLimitNote')}</p>
    </ActionButton>
  )
}
