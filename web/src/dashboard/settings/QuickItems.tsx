import type { TillSettings } from '@florin/contract/till.js'
import { MAX_ITEM_NAME_LENGTH, MAX_QUICK_ITEMS } from '@florin/shared/till.js'
import { useState } from 'react'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { SavedNote } from '../../kit/console/states.tsx'
import { Button, Field } from '../../kit/controls.tsx'
import { Card, Icon } from '../../kit/display.tsx'
import { Form } from '../../kit/Form.tsx'
import { useAction } from '../../kit/form.ts'
import { ProblemNote } from '../../kit/problems.tsx'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'

/** A row of the form. The key stays the same when rows are moved or removed. */
type Row = { readonly key: string; readonly name: string; readonly price: string }

const newRow = (name = '', price = ''): Row => ({ key: crypto.randomUUID(), name, price })

/** The items that the till sells with one tap, in the order of their buttons. */
export function QuickItems({ till }: { till: TillSettings }) {
  const { translate } = useLanguage()
  const { request, account } = useSession()
  const { currency } = account.store
  const [rows, setRows] = useState(() => till.items.map(({ name, price }) => newRow(name, price)))
  const [isSaved, setSaved] = useState(false)
  const { isBusy, problem, start } = useAction(
    () => {
      const items = rows.map(({ name, price }) => ({
        name: name.trim(),
        price: parseTypedAmount(price, currency),
      }))
      return request<TillSettings>('till', { method: 'PATCH', body: { items } })
    },
    () => setSaved(true),
  )
  function change(next: readonly Row[]): void {
    setSaved(false)
    setRows([...next])
  }

  return (
    <Card label={translate('quickItems')}>
      <Form onSubmit={start} problem={problem}>
        <h2>{translate('quickItems')}</h2>
        <p className="soft">{translate('quickItemsNote')}</p>
        <ul className="item-rows">
          {rows.map((row, n) => (
            <ItemRow key={row.key} rows={rows} n={n} currency={currency} change={change} />
          ))}
        </ul>
        {rows.length < MAX_QUICK_ITEMS ? (
          <div>
            <Button look="quiet" onClick={() => change([...rows, newRow()])}>
              <Icon name="plus" />
              {translate('addItem')}
            </Button>
          </div>
        ) : (
          <p className="soft small">{translate('itemsFull', { count: MAX_QUICK_ITEMS })}</p>
        )}
        {problem && <ProblemNote problem={problem} />}
        <SavedNote isSaved={isSaved} />
        <Button type="submit" isWide isBusy={isBusy}>
          {translate('save')}
        </Button>
      </Form>
    </Card>
  )
}

type RowProps = {
  rows: readonly Row[]
  n: number
  currency: string
  change: (rows: readonly Row[]) => void
}

function ItemRow({ rows, n, currency, change }: RowProps) {
  const { translate } = useLanguage()
  const row = rows[n]!
  const { name, price } = row
  const checks = useChecks()
  const isTaken = rows.some((other) => other !== row && other.name.trim() === name.trim())
  const edit = (fields: Partial<Row>) => change(rows.with(n, { ...row, ...fields }))
  const swap = (other: number) => change(rows.with(n, rows[other]!).with(other, row))
  return (
    <li>
      <Field
        label={translate('itemName')}
        name={`items.${n}.name`}
        value={name}
        onChange={(text) => edit({ name: text })}
        isRequired
        maxLength={MAX_ITEM_NAME_LENGTH}
        autoFocus={name === '' && price === ''}
        check={() => (isTaken ? translate('itemTaken') : undefined)}
      />
      <Field
        label={`${translate('itemPrice')} (${currency})`}
        name={`items.${n}.price`}
        value={price}
        onChange={(text) => edit({ price: text })}
        isRequired
        inputMode="decimal"
        check={checks.amount(currency, { isAboveZero: true })}
      />
      <div className="item-actions">
        <RowButton
          label={`${translate('moveUp')}: ${name}`}
          icon="up"
          isDisabled={n === 0}
          press={() => swap(n - 1)}
        />
        <RowButton
          label={`${translate('moveDown')}: ${name}`}
          icon="down"
          isDisabled={n === rows.length - 1}
          press={() => swap(n + 1)}
        />
        <RowButton
          label={`${translate('remove')}: ${name}`}
          icon="close"
          press={() => change(rows.filter((other) => other !== row))}
        />
      </div>
    </li>
  )
}

type RowButtonProps = {
  label: string
  icon: 'up' | 'down' | 'close'
  isDisabled?: boolean
  press: () => void
}

function RowButton({ label, icon, isDisabled = false, press }: RowButtonProps) {
  return (
    <button
      type="button"
      className="tool"
      aria-label={label}
      // `disabled` would lose the focus when the item reaches the end of the list.
      aria-disabled={isDisabled}
      onClick={isDisabled ? undefined : press}
    >
      <Icon name={icon} />
    </button>
  )
}
