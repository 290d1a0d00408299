import type { StorePayment } from '@florin/contract/store.js'
import { type ReactNode, useState } from 'react'
import { type Column, RowTime } from '../../kit/console/Table.tsx'
import { Checkbox } from '../../kit/controls.tsx'
import { Money, StatusBadge } from '../../kit/display.tsx'
import { storedText } from '../../kit/storage.ts'
import { grossOf, shownStatus } from '../../kit/store/payment.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

/** The name is also the key of the title in the words. */
type ColumnName = 'reference' | 'note' | 'payer' | 'customerEmail' | 'fee' | 'youReceive'

type OptionalColumn = {
  readonly name: ColumnName
  readonly cell: (payment: StorePayment) => ReactNode
  readonly flags?: readonly ('end' | 'code')[]
}

const money = (amount: (payment: StorePayment) => string) => (payment: StorePayment) => (
  <Money amount={amount(payment)} currency={payment.currency} />
)
const isPaid = ({ status }: StorePayment) => status === 'completed' || status === 'refunded'

/** The columns that can be chosen. Time, status and amount are always shown. */
const OPTIONAL_COLUMNS: readonly OptionalColumn[] = [
  {
    name: 'reference',
    cell: ({ reference }) => <bdi>{reference.id}</bdi>,
    flags: ['code'],
  },
  { name: 'note', cell: ({ reference }) => <bdi>{reference.note}</bdi> },
  { name: 'payer', cell: ({ user, client }) => <bdi>{user?.name ?? client?.name}</bdi> },
  { name: 'customerEmail', cell: ({ user, client }) => <bdi>{client?.email ?? user?.email}</bdi> },
  {
    name: 'fee',
    cell: (payment) => isPaid(payment) && money((paid) => paid.transaction_fee)(payment),
    flags: ['end'],
  },
  {
    name: 'youReceive',
    cell: (payment) => payment.status === 'completed' && money((paid) => paid.amount)(payment),
    flags: ['end'],
  },
]

export type ChosenColumns = readonly ColumnName[]

const DEFAULT_COLUMNS: ChosenColumns = ['reference', 'payer']
const storedColumns = storedText('florin.dashboard.columns')

function loadChosen(): ChosenColumns {
  const text = storedColumns.get()
  if (text === null) return DEFAULT_COLUMNS
  const names = text.split(' ')
  return OPTIONAL_COLUMNS.map(({ name }) => name).filter((name) => names.includes(name))
}

/** The columns that this browser shows, and a setter that remembers them. */
export function useChosenColumns() {
  const [chosen, setChosen] = useState(loadChosen)
  return {
    chosen,
    choose: (name: ColumnName, isShown: boolean) => {
      const next = OPTIONAL_COLUMNS.map((column) => column.name).filter((other) =>
        other === name ? isShown : chosen.includes(other),
      )
      storedColumns.set(next.join(' '))
      setChosen(next)
    },
  }
}

export function usePaymentColumns(chosen: ChosenColumns): readonly Column<StorePayment>[] {
  const { translate } = useLanguage()
  const { account } = useSession()
  const optional = OPTIONAL_COLUMNS.filter(({ name }) => chosen.includes(name))
  return [
    [
      translate('time'),
      ({ created_at: at }) => <RowTime at={at} timeZone={account.store.time_zone} />,
    ],
    [translate('status'), (payment) => <StatusBadge status={shownStatus(payment)} />],
    ...optional.map(
      ({ name, cell, flags = [] }): Column<StorePayment> => [translate(name), cell, ...flags],
    ),
    [translate('amount'), money(grossOf), 'end'],
  ]
}

export type ColumnChoiceProps = ReturnType<typeof useChosenColumns>

export function ColumnChoice({ chosen, choose }: ColumnChoiceProps) {
  const { translate } = useLanguage()
  return (
    <fieldset className="card column-choice">
      <legend className="visually-hidden">{translate('columnsShown')}</legend>
      {OPTIONAL_COLUMNS.map(({ name }) => (
        <Checkbox
          key={name}
          label={translate(name)}
          isChecked={chosen.includes(name)}
          onChange={(isShown) => choose(name, isShown)}
        />
      ))}
    </fieldset>
  )
}
