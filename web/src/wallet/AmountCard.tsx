import type { LinkPreview } from '@florin/contract/walletLinks.js'
import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import '../kit/styles/keypad.css'
import './link.css'
import { addAmounts } from '../kit/amounts.ts'
import { Button } from '../kit/controls.tsx'
import { Icon, Money, useMoneyText } from '../kit/display.tsx'
import { EntryAmount, Keypad } from '../kit/Keypad.tsx'
import { useKeys } from '../kit/keyboard.ts'
import { StoreLogo } from '../kit/StoreLogo.tsx'
import { isAboveZero, type Key, keyOf, press } from '../kit/typedAmount.ts'
import { negate } from './amounts.ts'
import { LinkTitle } from './LinkTitle.tsx'
import { useLanguage } from './language.ts'
import { dueOf, exceeds } from './linkAmounts.ts'
import { navigateInstead } from './navigation.tsx'

type Props = {
  preview: LinkPreview
  typed: string
  /** Whether the store did not accept the typed amount. */
  isRefused: boolean
  onTyped: (typed: string) => void
  onChosen: () => void
}

/** The payer types the amount, in the currency of the link. */
export function AmountCard({ preview, typed, isRefused, onTyped, onChosen }: Props) {
  const { translate } = useLanguage()
  const moneyText = useMoneyText()
  const { currency, balance, min_amount: min, max_amount: max } = preview
  const typedCurrency = preview.request_amount.currency
  const decimals = decimalsOf(typedCurrency as CurrencyCode)
  const { amount: due } = dueOf(preview, typed)
  const text = (value: string) => moneyText(value, currency)
  const problem = findProblem()
  const canContinue = isAboveZero(typed) && problem === null

  function findProblem(): string | null {
    if (!isAboveZero(typed)) return null
    if (isRefused) return translate('amountRefused')
    if (exceeds(due, balance, currency))
      return translate('amountTooMuch', { balance: text(balance) })
    if (max !== null && exceeds(due, max, currency))
      return translate('amountTo', { max: text(max) })
    if (min !== null && exceeds(min, due, currency))
      return translate('amountFrom', { min: text(min) })
    return null
  }

  function limitsText(): string {
    if (min !== null && max !== null) {
      return translate('amountBetween', { min: text(min), max: text(max) })
    }
    if (max !== null) return translate('amountTo', { max: text(max) })
    return min === null ? translate('chooseAmount') : translate('amountFrom', { min: text(min) })
  }

  const type = (key: Key) => onTyped(press(typed, key, decimals))

  function confirm(): void {
    if (canContinue) onChosen()
  }

  useKeys((pressed, isTyping) => {
    if (isTyping) return false
    const key = keyOf(pressed)
    if (key !== null) type(key)
    else if (pressed === 'Enter') confirm()
    else return false
    return true
  })

  return (
    <div className="amount-card">
      <div className="amount-head">
        <StoreLogo storeId={preview.store_id} url={preview.store.logo} />
        <LinkTitle preview={preview} />
      </div>
      <EntryAmount typed={typed} currency={typedCurrency} decimals={decimals} />
      <p className="amount-limits" aria-live="polite">
        {problem === null ? (
          <span className="soft">{limitsText()}</span>
        ) : (
          <span className="field-problem">
            <Icon name="warning" />
            {problem}
          </span>
        )}
      </p>
      <dl className="sums">
        {typedCurrency !== currency && (
          <>
            <dt>{translate('youPay')}</dt>
            <dd>
              <Money amount={due} currency={currency} />
            </dd>
          </>
        )}
        <dt>{translate('balanceAfter')}</dt>
        <dd>
          {exceeds(due, balance, currency) ? (
            '–'
          ) : (
            <Money amount={addAmounts(currency, balance, negate(due))} currency={currency} />
          )}
        </dd>
      </dl>
      <Keypad decimals={decimals} press={type} />
      <div className="pay-bar">
        <Button isWide isDisabled={!canContinue} onClick={confirm}>
          {translate('continue')}
        </Button>
        <Button isWide look="quiet" onClick={() => navigateInstead('')}>
          {translate('cancel')}
        </Button>
      </div>
    </div>
  )
}
