import type { PaymentPreview } from '@florin/contract/wallet.js'
import { Money, useMoneyText } from '../kit/display.tsx'
import { multiply } from './amounts.ts'
import { useLanguage } from './language.ts'

type Props = {
  payment: Pick<PaymentPreview, 'products' | 'request_amount' | 'reference_note' | 'currency'>
}

/** The products in the currency of the shop's request, the conversion, and the note. */
export function Order({ payment }: Props) {
  const { translate } = useLanguage()
  const { products, request_amount: requested, reference_note: note, currency } = payment
  const moneyText = useMoneyText()
  const isConverted = requested.currency !== currency
  if (products.length === 0 && note === null && !isConverted) return null
  return (
    <section className="order" aria-label={translate('order')}>
      {products.length > 0 && (
        <ul>
          {products.map((product, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two products can be equal, and the order never changes.
            <li key={n}>
              <span>
                {product.quantity} × <bdi>{product.name}</bdi>
              </span>
              <Money
                amount={multiply(product.price, product.quantity, requested.currency)}
                currency={requested.currency}
              />
            </li>
          ))}
        </ul>
      )}
      {isConverted && (
        <p className="soft small">
          {translate('converted', {
            amount: moneyText(requested.amount, requested.currency),
            rate: requested.conversion_rate,
          })}
        </p>
      )}
      {note !== null && (
        <p className="soft small">
          <bdi>{note}</bdi>
        </p>
      )}
    </section>
  )
}
