import type { ChargedPayment } from '@florin/contract/store.js'
import { useState } from 'react'
import { parseTypedAmount } from '../../kit/amounts.ts'
import { useChecks } from '../../kit/checks.ts'
import { ConfirmDialog } from '../../kit/console/actions.tsx'
import { Button, Checkbox, Field } from '../../kit/controls.tsx'
import { Icon, useMoneyText } from '../../kit/display.tsx'
import { navigate } from '../../kit/router.ts'
import { useSession } from '../../kit/store/session.tsx'
import { useLanguage } from '../language.ts'
import { useDashboardRoute } from '../route.ts'

const DAY_SECONDS = 86_400

export function NewPaymentButton() {
  const { translate } = useLanguage()
  const { account } = useSession()
  const [isOpen, setOpen] = useState(false)
  if (!account.may.includes('create')) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Icon name="plus" />
        {translate('newPayment')}
      </Button>
      {isOpen && <NewPaymentDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Creates a payment and opens its page, which shows the code and follows the payment. */
function NewPaymentDialog({ onClose }: { onClose: () => void }) {
  const { translate } = useLanguage()
  const { account, request } = useSession()
  const { mode, hrefTo } = useDashboardRoute()
  const moneyText = useMoneyText()
  // Each edit creates a new Idempotency-Key; a retry sends the same one.
  const newKey = () => crypto.randomUUID()
  const [draft, setDraft] = useState(() => ({
    amount: '',
    reference: '',
    note: '',
    isValidForDay: false,
    key: newKey(),
  }))
  const field = (name: 'amount' | 'reference' | 'note') => ({
    value: draft[name],
    onChange: (text: string) => setDraft({ ...draft, [name]: text, key: newKey() }),
  })
  const { currency } = account.store
  const checkAmount = useChecks().amount(currency, { isAboveZero: true })
  const amount = checkAmount(draft.amount) === undefined && parseTypedAmount(draft.amount, currency)

  function create() {
    const body = {
      amount: Number(amount),
      reference_id: draft.reference.trim() || null,
      reference_note: draft.note.trim() || null,
      ...(draft.isValidForDay && { expires_in: DAY_SECONDS }),
    }
    return request<ChargedPayment>(`${mode}/payments`, { method: 'POST', body, key: draft.key })
  }

  return (
    <ConfirmDialog
      title={translate('newPayment')}
      confirmLabel={
        amount
          ? translate('createFor', { amount: moneyText(amount, currency) })
          : translate('create')
      }
      run={create}
      onDone={({ payment_id }) => navigate(hrefTo('payments', payment_id))}
      onClose={onClose}
    >
      <Field
        label={`${translate('amount')} (${currency})`}
        inputMode="decimal"
        autoComplete="off"
        isRequired
        check={checkAmount}
        {...field('amount')}
        name="amount"
      />
      <Field
        label={translate('referenceOptional')}
        help={translate('referenceHelp')}
        maxLength={255}
        autoComplete="off"
        {...field('reference')}
        name="reference_id"
      />
      <Field
        label={translate('noteOptional')}
        help={translate('noteHelp')}
        maxLength={1000}
        autoComplete="off"
        {...field('note')}
        name="reference_note"
      />
      <Checkbox
        label={translate('dayLong')}
        isChecked={draft.isValidForDay}
        onChange={(isValidForDay) => setDraft({ ...draft, isValidForDay, key: newKey() })}
      />
    </ConfirmDialog>
  )
}
