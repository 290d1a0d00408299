import type { OperatorStore, StoreBalance } from '@florin/contract/operator.js'
import { Table } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import { modeWord } from '../../kit/store/payment.ts'
import { Allowed } from '../Allowed.tsx'
import { useLanguage } from '../language.ts'
import { MoveMoney } from './MoveMoney.tsx'

/** The store's balance, and its fees and donations. */
export function StoreMoney({ store, onDone }: { store: OperatorStore; onDone: () => void }) {
  const { translate } = useLanguage()
  const { currency } = store
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  return (
    <>
      <Table<StoreBalance>
        label={translate('store_money')}
        rows={[...(store.balances ?? [])].sort((a, b) => a.mode.localeCompare(b.mode))}
        keyOf={({ mode }) => mode}
        columns={[
          [translate('mode'), ({ mode }) => translate(modeWord(mode))],
          [translate('balance'), ({ balance }) => money(balance), 'end'],
          [translate('of_fees'), ({ fees }) => money(fees), 'end'],
          [translate('of_gifts'), ({ gifts }) => money(gifts), 'end', 'extra'],
        ]}
      />
      <Allowed permission="money">
        <div className="page-actions">
          <MoveMoney kind="payout" store={store} onDone={onDone} />
          <MoveMoney kind="fund" store={store} onDone={onDone} />
        </div>
      </Allowed>
    </>
  )
}
