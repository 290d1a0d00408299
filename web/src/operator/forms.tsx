import type { Approval } from '@florin/contract/approvals.js'
import type { MoneyMovement } from '@florin/contract/operator.js'
import type { Mode } from '@florin/server/core/ids.js'
import { type ReactNode, useEffect, useState } from 'react'
import { parseTypedAmount } from '../kit/amounts.ts'
import { useChecks } from '../kit/checks.ts'
import { ActionButton, OneTimeSecrets } from '../kit/console/actions.tsx'
import { Button, Field, Select } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Facts, Icon, Notice, useMoneyText } from '../kit/display.tsx'
import { submitHandler } from '../kit/form.ts'
import { MODES, modeWord } from '../kit/store/payment.ts'
import { useLanguage } from './language.ts'
import { add, isCurrency, subtract } from './numbers.ts'
import { hrefTo } from './route.ts'
import { useSession } from './session.ts'

type SearchProps = { label: string; value: string; onSearch: (text: string) => void }

/** A search field with a button. An empty search shows everything. */
export function Search({ label, value, onSearch }: SearchProps) {
  const { translate } = useLanguage()
  const [text, setText] = useState(value)
  // Links and the Back button also change the URL.
  useEffect(() => setText(value), [value])
  return (
    <search>
      <form className="search-form" onSubmit={submitHandler(() => onSearch(text.trim()))}>
        <Field label={label} value={text} onChange={setText} />
        <Button type="submit" look="quiet">
          <Icon name="search" />
          {translate('find')}
        </Button>
      </form>
    </search>
  )
}

export function ModeSelect({ value, onChange }: { value: Mode; onChange: (mode: Mode) => void }) {
  const { translate } = useLanguage()
  return (
    <Select
      label={translate('mode')}
      value={value}
      onChange={onChange}
      options={MODES.map((mode) => [mode, translate(modeWord(mode))] as const)}
    />
  )
}

type MoneyFormProps = {
  /** The label of the button and the title of its dialog, such as "Pay out" and "Pay out: Corner Shop". */
  label: string
  title: string
  path: string
  /** Takes money out. */
  isWithdrawal: boolean
  /** The fields that come with the amount in the body. */
  fields: Readonly<Record<string, string>>
  currency: string
  balance: string
  amountLabel: string
  balanceLabels: readonly [before: string, after: string]
  onOpen?: () => void
  onDone: () => void
  /** The fields before the amount. */
  children: ReactNode
  /** The fields and notes after the amount. */
  extra?: ReactNode
}

/** Moves money, and shows the balance before and after. */
export function MoneyForm(props: MoneyFormProps) {
  const { label, title, path, isWithdrawal, fields, currency, balance, onDone, children } = props
  const { translate } = useLanguage()
  const { request } = useSession()
  const moneyText = useMoneyText()
  const [amount, setAmount] = useState('')
  // One key per dialog: a form that is sent twice moves money once.
  const [key, setKey] = useState('')
  const after = isCurrency(currency)
    ? (isWithdrawal ? subtract : add)(currency, balance, parseTypedAmount(amount, currency) ?? '')
    : null
  const checkAmount = useChecks().amount(currency, { isAboveZero: true })
  const isOverdrawn = after?.startsWith('-') === true
  const overdrawnText = isOverdrawn ? translate('notCovered') : undefined
  const [approval, setApproval] = useState<Approval | null>(null)
  const [doneText, setDoneText] = useState<string | null>(null)
  const [beforeLabel, afterLabel] = props.balanceLabels
  return (
    <>
      <ActionButton<MoneyMovement | Approval>
        label={label}
        title={title}
        look="quiet"
        isDanger={isWithdrawal}
        noResponseText={translate('moveNoResponse')}
        confirmLabel={
          after === null
            ? label
            : `${label} ${moneyText(parseTypedAmount(amount, currency)!, currency)}`
        }
        onOpen={() => {
          setKey(crypto.randomUUID())
          setAmount('')
          setDoneText(null)
          props.onOpen?.()
        }}
        run={() => {
          const body = { ...fields, amount: parseTypedAmount(amount, currency) }
          return request(path, { method: 'POST', key, body })
        }}
        onDone={(result) => {
          if ('approval_id' in result) return setApproval(result)
          const moved = moneyText(parseTypedAmount(amount, currency)!, currency)
          const left = moneyText(result.balance, result.currency)
          setDoneText(translate('moneyMoved', { action: label, amount: moved, balance: left }))
          onDone()
        }}
      >
        {children}
        <Field
          label={props.amountLabel}
          name="amount"
          value={amount}
          onChange={setAmount}
          inputMode="decimal"
          isRequired
          check={(text) => checkAmount(text) ?? overdrawnText}
          problem={overdrawnText}
        />
        {props.extra}
        {isCurrency(currency) && (
          <Facts
            facts={[
              [beforeLabel, moneyText(balance, currency)],
              [afterLabel, after === null || isOverdrawn ? '–' : moneyText(after, currency)],
            ]}
          />
        )}
      </ActionButton>
      <div role="status" className="action-done">
        {doneText !== null && <Notice tone="completed">{doneText}</Notice>}
      </div>
      <ApprovalDialog approval={approval} onClose={() => setApproval(null)} />
    </>
  )
}

type ApprovalDialogProps = { approval: Approval | null; onClose: () => void }

/** Shows that the request waits for approval and no money has moved. */
function ApprovalDialog({ approval, onClose }: ApprovalDialogProps) {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  return (
    <Dialog title={translate('waitsForApproval')} isOpen={approval !== null} onClose={onClose}>
      <p>{translate('waitsForApprovalNote')}</p>
      {approval && (
        <Facts facts={[[translate('amount'), moneyText(approval.amount, approval.currency)]]} />
      )}
      <a className="button button-wide" href={hrefTo('approvals')}>
        {translate('approvals')}
      </a>
      <Button look="quiet" isWide onClick={onClose}>
        {translate('close')}
      </Button>
    </Dialog>
  )
}

type NewSecretsProps = {
  title: string
  secrets: readonly (readonly [name: string, value: string])[] | null
  onClose: () => void
}

export function NewSecrets(props: NewSecretsProps) {
  const { translate } = useLanguage()
  return (
    <OneTimeSecrets {...props} note={translate('shownOnce')} closeLabel={translate('savedIt')} />
  )
}

export type SignInDetails = {
  readonly name: string
  readonly email: string
  readonly password: string
}
type NewPasswordProps = { account: SignInDetails | null; onClose: () => void }

/** Shows a generated password once, with what its owner needs to sign in. */
export function NewPassword({ account, onClose }: NewPasswordProps) {
  const { translate } = useLanguage()
  return (
    <NewSecrets
      title={translate('passwordOf', { name: account?.name ?? '' })}
      secrets={
        account && [
          [translate('email'), account.email],
          [translate('password'), account.password],
        ]
      }
      onClose={onClose}
    />
  )
}
