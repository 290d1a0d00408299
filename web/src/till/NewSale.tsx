import type { TillSettings } from '@florin/contract/till.js'
import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { useState } from 'react'
import { Button } from '../kit/controls.tsx'
import { Dialog } from '../kit/Dialog.tsx'
import { Icon, Notice, useMoneyText } from '../kit/display.tsx'
import { EntryAmount, Keypad } from '../kit/Keypad.tsx'
import { useKeys } from '../kit/keyboard.ts'
import { ProblemNote } from '../kit/problems.tsx'
import { storedText } from '../kit/storage.ts'
import { type Key, keyOf, press, typedOf } from '../kit/typedAmount.ts'
import { BasketLines } from './BasketLines.tsx'
import { Items } from './Items.tsx'
import { useLanguage } from './language.ts'
import type { NewSaleState } from './newSale.ts'
import { useSession } from './session.tsx'

const storedView = storedText('florin.till.view')

type Props = {
  sale: NewSaleState
  items: TillSettings['items']
  /** A wide screen shows the items of the sale beside the keypad. */
  isWide: boolean
}

/** The amount, the note, and the keypad or the quick items of a new sale. */
export function NewSale({ sale, items, isWide }: Props) {
  const { translate } = useLanguage()
  const { currency } = useSession().account.store
  const decimals = decimalsOf(currency as CurrencyCode)
  const moneyText = useMoneyText()
  const [view, setView] = useState(() => storedView.get() ?? 'items')
  const { draft, total, canCharge, isCharging, problem, change, clear, submit } = sale
  const { typed, note, lines } = draft
  const showsItems = items.length > 0 && view === 'items'
  const type = (pressed: Key) => change({ typed: press(typed, pressed, decimals) })

  function show(next: string): void {
    storedView.set(next)
    setView(next)
  }

  useKeys((pressed, isTyping) => {
    if (pressed === 'Enter') submit()
    else if (pressed === 'Escape') clear()
    else {
      const key = isTyping ? null : keyOf(pressed)
      if (key === null) return false
      type(key)
    }
    return true
  })

  return (
    <div className="register">
      <div className="entry">
        {lines.length > 0 && !isWide && <BasketButton sale={sale} />}
        <EntryAmount
          // A sum has all its digits. A typed amount shows zeros for the missing ones.
          typed={lines.length > 0 ? typedOf(total, decimals) : typed}
          currency={currency}
          decimals={decimals}
        />
      </div>
      <div className="note">
        <label>
          <span className="visually-hidden">{translate('note')}</span>
          <input
            className="field-input"
            value={note}
            maxLength={1000}
            placeholder={translate('noteHelp')}
            onChange={(event) => change({ note: event.target.value })}
          />
        </label>
        {items.length > 0 && (
          <button
            type="button"
            className="tool"
            // Keeps the focus, so that Enter still charges.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => show(showsItems ? 'keypad' : 'items')}
          >
            <Icon name={showsItems ? 'keypad' : 'items'} />
            <span className="visually-hidden">
              {translate(showsItems ? 'showKeypad' : 'showItems')}
            </span>
          </button>
        )}
        {(typed !== '' || note !== '' || lines.length > 0) && (
          <button type="button" className="tool" onClick={clear}>
            <Icon name="close" />
            <span className="visually-hidden">{translate('clear')}</span>
          </button>
        )}
      </div>
      {sale.isTooLarge && (
        <Notice tone="failed" role="alert">
          {translate('totalTooLarge')}
        </Notice>
      )}
      {problem !== null && (
        <ProblemNote problem={problem} noResponseText={translate('chargeNoResponse')} />
      )}
      {showsItems ? (
        <Items items={items} lines={lines} change={(next) => change({ lines: next })} />
      ) : (
        <Keypad decimals={decimals} press={type} />
      )}
      <div className="charge">
        <Button isWide isBusy={isCharging} isDisabled={!canCharge} onClick={submit}>
          {canCharge
            ? translate('chargeAmount', { amount: moneyText(total, currency) })
            : translate('charge')}
        </Button>
        <button
          type="button"
          className="tool"
          aria-label={translate('sendPaymentRequest')}
          disabled={!canCharge || isCharging}
          onClick={sale.request}
        >
          <Icon name="share" />
        </button>
      </div>
    </div>
  )
}

/** Opens the items of the sale, where there is no room for them beside the buttons. */
function BasketButton({ sale }: { sale: NewSaleState }) {
  const { translate } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const count = sale.draft.lines.reduce((sum, line) => sum + line.quantity, 0)
  return (
    <>
      <button type="button" className="basket-open" onClick={() => setOpen(true)}>
        {translate('itemsCount', { count })}
      </button>
      <Dialog title={translate('currentSale')} isOpen={isOpen} onClose={() => setOpen(false)}>
        <BasketLines sale={sale} />
        <Button look="quiet" isWide onClick={() => setOpen(false)}>
          {translate('close')}
        </Button>
      </Dialog>
    </>
  )
}
