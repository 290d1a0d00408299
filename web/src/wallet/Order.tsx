import { amountText, Money } from '../kit/display.tsx'
import { times } from './amounts.ts'
import type { Preview } from './api.ts'
import { useLanguage } from './language.ts'

/** What is bought; products have the currency that the shop asked in. */
export function Order({ preview }: { preview: Preview }) {
  const { say, locale } = useLanguage()
  const { products, request_amount: asked, reference_note: note, currency } = preview
  const isConverted = asked.currency !== currency
  if (products.length === 0 && note === null && !isConverted) return null
  return (
    <section className="order" aria-label={say('order')}>
      {products.length > 0 && (
        <ul>
          {products.map((product, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two lines may be the same, and none moves.
            <li key={n}>
              <span>
                {product.quantity} × <bdi>{product.name}</bdi>
              </span>
              <Money
                amount={times(product.price, product.quantity, asked.currency)}
                currency={asked.currency}
                locale={locale}
              />
            </li>
          ))}
        </ul>
      )}
      {isConverted && (
        <p className="soft small">
          {say('converted', {
            amount: amountText({ ...asked, locale }),
            rate: asked.conversion_rate,
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
