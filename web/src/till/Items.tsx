import type { TillSettings } from '@florin/contract/till.js'
import { Money } from '../kit/display.tsx'
import { changeQuantity, countOf, type Line } from './basket.ts'
import { useLanguage } from './language.ts'
import { useSession } from './session.tsx'

type Props = {
  items: TillSettings['items']
  lines: readonly Line[]
  change: (lines: readonly Line[]) => void
}

/** Large buttons. Each press adds one item to the sale. */
export function Items({ items, lines, change }: Props) {
  const { translate } = useLanguage()
  const { currency } = useSession().account.store
  return (
    <fieldset className="items" aria-label={translate('items')}>
      {items.map((item) => {
        const count = countOf(lines, item)
        return (
          <button
            key={item.name}
            type="button"
            className="key item"
            // Keeps the focus, so that Enter still charges after a tap.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => change(changeQuantity(lines, item, 1))}
          >
            <span className="item-name" dir="auto">
              {item.name}
            </span>
            <Money amount={item.price} currency={currency} />
            {count > 0 && <span className="item-count">{count}</span>}
          </button>
        )
      })}
    </fieldset>
  )
}
