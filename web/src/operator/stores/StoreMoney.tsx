import { Table } from '../../kit/console/Table.tsx'
import { Money } from '../../kit/display.tsx'
import { modeWord } from '../../kit/store/payment.ts'
import { useLanguage } from '../language.ts'
import type { Store, StoreBalance } from '../types.ts'
import { MoveMoney } from './MoveMoney.tsx'

/** The store's balance, and the fees and gifts that it brought in. */
export function StoreMoney({ store, onDone }: { store: Store; onDone: () => void }) {
  const { say } = useLanguage()
  const { currency } = store
  const money = (amount: string) => <Money amount={amount} currency={currency} />
  return (
    <>
      <Table<StoreBalance>
        label={say('store_money')}
        rows={[...(store.balances ?? [])].sort((a, b) => a.mode.localeCompare(b.mode))}
        keyOf={({ mode }) => mode}
        columns={[
          {
            title: say('mode'),
            cell: ({ mode }) => say(modeWord(mode)),
          },
          { title: say('of_stores'), isEnd: true, cell: ({ balance }) => money(balance) },
          { title: say('of_fees'), isEnd: true, cell: ({ fees }) => money(fees) },
          {
            title: say('of_gifts'),
            isEnd: true,
            isExtra: true,
            cell: (one) => money(one.gifts),
          },
        ]}
      />
      <div className="page-actions">
        <MoveMoney kind="payout" store={store} onDone={onDone} />
        <MoveMoney kind="fund" store={store} onDone={onDone} />
      </div>
    </>
  )
}
