import type { ReactNode } from 'react'
import { Icon, Money } from '../kit/display.tsx'
import { changeQuantity, lineSum } from './basket.ts'
import { useLanguage } from './language.ts'
import type { NewSaleState } from './newSale.ts'
import { useSession } from './session.tsx'

/** The items of the sale with their quantities, and the typed amount. */
export function BasketLines({ sale }: { sale: NewSaleState }) {
  const { translate } = useLanguage()
  const { currency } = useSession().account.store
  const { lines, typed } = sale.draft
  return (
    <ul className="basket">
      {lines.map((line) => {
        const changeBy = (change: 1 | -1) =>
          sale.change({ lines: changeQuantity(lines, line, change) })
        return (
          <BasketLine
            key={`${line.name} ${line.price}`}
            name={line.name}
            amount={lineSum(line, currency)}
            currency={currency}
          >
            <Step
              label={translate('removeOne', { name: line.name })}
              icon="minus"
              press={() => changeBy(-1)}
            />
            <span className="basket-count">{line.quantity}</span>
            <Step
              label={translate('addOne', { name: line.name })}
              icon="plus"
              press={() => changeBy(1)}
            />
          </BasketLine>
        )
      })}
      {typed !== '' && (
        <BasketLine
          name={translate('customAmount')}
          amount={typed.replace(/\.$/, '')}
          currency={currency}
        >
          <Step
            label={translate('removeCustomAmount')}
            icon="close"
            press={() => sale.change({ typed: '' })}
          />
        </BasketLine>
      )}
    </ul>
  )
}

type LineProps = { name: string; amount: string; currency: string; children: ReactNode }

function BasketLine({ name, amount, currency, children }: LineProps) {
  return (
    <li>
      <span className="basket-name" dir="auto">
        {name}
      </span>
      <span className="basket-steps">{children}</span>
      <Money amount={amount} currency={currency} />
    </li>
  )
}

type StepProps = { label: string; icon: 'plus' | 'minus' | 'close'; press: () => void }

function Step({ label, icon, press }: StepProps) {
  return (
    <button
      type="button"
      className="tool"
      aria-label={label}
      // Keeps the focus, so that Enter still charges after a tap.
      onMouseDown={(event) => event.preventDefault()}
      onClick={press}
    >
      <Icon name={icon} />
    </button>
  )
}
