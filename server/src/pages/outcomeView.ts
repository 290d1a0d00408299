import type { IconName } from '@florin/shared/icons.js'
import type { Locale } from '@florin/shared/locales.js'
import { timeText } from '@florin/shared/time.js'
import type { Translate } from '@florin/shared/translate.js'
import { CHECKOUT_WORDS, type CheckoutWords } from '@florin/shared/words/checkout/all.js'
import { isCancelled, type Payment, type Status } from '../core/payment.ts'
import { returnLink } from '../core/returnUrl.ts'
import { type Checkout, frame, type RenderedPage } from './frame.ts'
import { type Html, html } from './html.ts'
import { order, storeLine } from './orderView.ts'
import { amountText, icon, money } from './parts.ts'

type Outcome = Exclude<Status, 'pending'> | 'cancelled'

/** The outcome as people see it. The API calls a payment that the store cancelled `expired`. */
export const outcomeOf = (payment: Payment): Outcome =>
  isCancelled(payment) ? 'cancelled' : (payment.status as Outcome)

/** The outcome of the payment, shown in place of the code: icon, message, amount, time and reference. */
export function outcome(checkout: Checkout, translate: Translate<CheckoutWords>): Html {
  const { payment, store, locale } = checkout
  const status = outcomeOf(payment)
  const { currency, gross, refundFee } = payment
  const amount = { minor: gross - (refundFee ?? 0n), currency }
  const at = payment.refundedAt ?? payment.settledAt ?? payment.expiresAt
  const outcomeCard = card({
    tone: status,
    iconName: status,
    title: translate(`${status}Title`),
    note: noteOf(checkout, translate),
    rest: html`<p class="outcome-amount">${money(amount, locale, true)}</p>
<dl class="facts">
${refundFee === null ? null : refundFacts({ gross, refundFee, currency }, locale, translate)}
<div><dt>${translate('time')}</dt><dd>${timeText(at, { locale, timeZone: store.timeZone })}</dd></div>
${payment.referenceId === null ? null : html`<div><dt>${translate('reference')}</dt><dd><bdi>${payment.referenceId}</bdi></dd></div>`}
<div><dt>${translate('payment')}</dt><dd class="id"><bdi>${payment.paymentId}</bdi></dd></div>
</dl>${backToShop(payment, translate)}`,
  })
  return html`<section class="head">${storeLine(checkout)}</section>
${outcomeCard}
<section class="more">${order(checkout, translate)}</section>`
}

/** The paid amount and the refund fee, which explain the refunded amount. */
function refundFacts(
  { gross, refundFee, currency }: Pick<Payment, 'gross' | 'currency'> & { refundFee: bigint },
  locale: Locale,
  translate: Translate<CheckoutWords>,
): Html {
  return html`<div><dt>${translate('paidAmount')}</dt><dd>${money({ minor: gross, currency }, locale)}</dd></div>
<div><dt>${translate('refundFee')}</dt><dd>${money({ minor: refundFee, currency }, locale)}</dd></div>`
}

/** The link leaves the frame that embeds the page, and sends no Referer. */
function backToShop(payment: Payment, translate: Translate<CheckoutWords>): Html | null {
  const link = returnLink(payment)
  if (link === null) return null
  return html`
<p class="back-to-shop"><a class="button button-wide" href="${link}" target="_top" rel="noreferrer">${translate('backToShop')}</a></p>`
}

function noteOf({ payment, store, locale }: Checkout, translate: Translate<CheckoutWords>): string {
  const { status, gross, refundFee, currency } = payment
  if (status === 'completed') return translate('completedNote', { store: store.name })
  if (status === 'failed') return translate('failedNote')
  if (status === 'expired') return translate(isCancelled(payment) ? 'cancelledNote' : 'expiredNote')
  const amount = amountText({ minor: gross - (refundFee ?? 0n), currency }, locale)
  return translate('refundedNote', { amount })
}

/** The page for an unknown payment. It doesn't depend on the id, so it doesn't reveal which payments a suspended store has. */
export function renderUnknown(locale: Locale): RenderedPage {
  const translate = CHECKOUT_WORDS[locale]
  const title = translate('unknownTitle')
  const main = warningCard(title, translate('unknownNote'))
  const body = frame({ status: 'unknown', isSandbox: false, locale, main }, translate)
  return { title, head: html``, body }
}

/** Explains why a payment or link can't be shown or paid. */
export const warningCard = (title: string, note: string): Html =>
  card({ tone: 'refunded', iconName: 'warning', title, note, rest: html`` })

type Card = {
  readonly tone: Outcome
  readonly iconName: IconName
  readonly title: string
  readonly note: string
  readonly rest: Html
}

function card({ tone, iconName, title, note, rest }: Card): Html {
  return html`<section class="outcome card tone-${tone}">
<div class="outcome-icon">${icon(iconName)}</div>
<h1>${title}</h1>
<p class="soft">${note}</p>
${rest}
</section>`
}
