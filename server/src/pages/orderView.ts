import type { Locale } from '@florin/shared/locales.js'
import type { Translate } from '@florin/shared/translate.js'
import type { CheckoutWords } from '@florin/shared/words/checkout/all.js'
import type { Payment } from '../core/payment.ts'
import { logoPathOf } from '../core/paymentView.ts'
import type { Checkout } from './frame.ts'
import { type Html, html } from './html.ts'
import { money } from './parts.ts'

// Parts that the pages of payments and links share.

const MAX_PRODUCTS = 12

/** The logo and the name of the store. */
export const storeLine = ({ store, basePath }: Pick<Checkout, 'store' | 'basePath'>): Html =>
  html`<p class="store"><img src="${basePath}${logoPathOf(store)}" alt="" width="40" height="40"><bdi>${store.name}</bdi></p>`

/** How to pay. On a touch screen, the button replaces the scan. */
export const steps = (translate: Translate<CheckoutWords>, last: string): Html =>
  html`<ol class="steps"><li class="by-scan">${translate('stepOpenWallet')}</li><li class="by-scan">${translate('stepScan')}</li><li class="by-touch">${translate('stepTapOpen')}</li><li>${last}</li></ol>`

type Order = Pick<Payment, 'products' | 'requestCurrency' | 'referenceNote'>

export function order(
  { payment, locale }: { readonly payment: Order; readonly locale: Locale },
  translate: Translate<CheckoutWords>,
): Html | null {
  const { products, requestCurrency, referenceNote } = payment
  if (products.length === 0 && referenceNote === null) return null
  const lines = products.slice(0, MAX_PRODUCTS).map(({ name, quantity, price }) => {
    const sum = { minor: BigInt(price) * BigInt(quantity), currency: requestCurrency }
    return html`<li><span><span class="soft">${quantity} ×</span> <bdi>${name}</bdi></span>${money(sum, locale)}</li>`
  })
  const rest = products.length - lines.length
  return html`<h2>${translate('order')}</h2>
<ul class="products">${lines}${rest > 0 ? html`<li class="soft">${translate('moreProducts', { count: rest })}</li>` : null}</ul>
${referenceNote === null ? null : html`<p class="small note"><bdi>${referenceNote}</bdi></p>`}`
}
