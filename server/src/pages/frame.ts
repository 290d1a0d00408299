import type { Locale } from '@florin/shared/locales.js'
import type { Translate } from '@florin/shared/translate.js'
import type { CheckoutWords } from '@florin/shared/words/checkout/all.js'
import type { LinkState } from '../core/link.ts'
import type { Payment, Status } from '../core/payment.ts'
import type { Store } from '../core/store.ts'
import { type Html, html } from './html.ts'
import { brand, languages } from './parts.ts'

/** The data of the checkout page. The page shows nothing about the payer or the client, because anyone can open it. */
export type Checkout = {
  readonly payment: Payment
  readonly store: Store
  readonly locale: Locale
  readonly basePath: string
  readonly now: Date
}

export type RenderedPage = { readonly title: string; readonly head: Html; readonly body: Html }

type Frame = {
  readonly status: Status | LinkState | 'unknown'
  readonly isSandbox: boolean
  readonly locale: Locale
  readonly main: Html
}

/** Wraps `main`. On the checkout page, `web/src/checkout/follow.ts` reads `data-status`, and replaces `main` when the status changes. */
export function frame(
  { status, isSandbox, locale, main }: Frame,
  translate: Translate<CheckoutWords>,
): Html {
  return html`${isSandbox ? ribbon(translate) : null}
<main class="checkout" data-status="${status}">${main}</main>
<footer class="checkout-foot">${brand()}${languages(locale, translate('language'))}</footer>
<p class="visually-hidden" role="status"></p>`
}

const ribbon = (translate: Translate<CheckoutWords>): Html =>
  html`<aside class="ribbon" aria-label="${translate('sandbox')}"><strong>${translate('sandbox')}</strong> ${translate('sandboxNote')}</aside>`
