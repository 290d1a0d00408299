import type { PinLimits as Limits } from '@florin/contract/walletAccount.js'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { ActionButton } from '../../kit/console/actions.tsx'
import { Empty, Loaded } from '../../kit/console/states.tsx'
import { Table } from '../../kit/console/Table.tsx'
import { Field } from '../../kit/controls.tsx'
import { Money } from '../../kit/display.tsx'
import { useFields } from '../../kit/form.ts'
import { CurrencySelect } from '../../kit/pickers.tsx'
import { useResource } from '../../kit/query.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { useSession } from '../session.ts'

/** The amounts above which every wallet needs its PIN to pay. */
export function PinLimits() {
  const { translate } = useLanguage()
  const resource = useResource<Limits>('pin-limits')
  return (
    <section className="stack" aria-label={translate('pinLimits')}>
      <div>
        <h2>{translate('pinLimits')}</h2>
        <p className="small soft">{translate('pinLimitsNote')}</p>
      </div>
      <Loaded resource={resource}>
        {({ limits }) => (
          <Table
            empty={<Empty title={translate('noPinLimits')} />}
            label={translate('pinLimits')}
            rows={limits}
            keyOf={({ currency }) => currency}
            columns={[
              [translate('currency'), ({ currency }) => currency],
              [
                translate('amount'),
                ({ currency, amount }) => <Money amount={amount} currency={currency} />,
                'end',
              ],
            ]}
          />
        )}
      </Loaded>
      <Allowed permission="admin">
        <div>
          <SetPinLimit onDone={resource.reload} />
        </div>
      </Allowed>
    </section>
  )
}

function SetPinLimit({ onDone }: { onDone: () => void }) {
  const { translate } = useLanguage()
  const { request } = useSession()
  const { fields, field, reset } = useFields({ currency: '', amount: '' })
  const { currency, amount } = fields
  const checks = useChecks()
  return (
    <ActionButton
      label={translate('setPinLimit')}
      onOpen={reset}
      run={() =>
        request('pin-limits', {
          method: 'PUT',
          body: {
            currency,
            amount: amount.trim() === '' ? null : parseTypedAmount(amount, currency),
          },
        })
      }
      onDone={onDone}
    >
      <CurrencySelect label={translate('currency')} {...field('currency')} />
      <Field
        label={translate('pinLimitAmount')}
        {...field('amount')}
        check={checks.amount(currency)}
        inputMode="decimal"
        autoComplete="off"
      />
    </ActionButton>
  )
}
