import { clockText, deadlineText } from '@florin/shared/time.js'
import type { Translate } from '@florin/shared/translate.js'
import { CHECKOUT_WORDS, type CheckoutWords } from '@florin/shared/words/checkout/all.js'
import { formatRate } from '../core/money.ts'
import { qrCodeOf } from '../core/paymentView.ts'
import { qrSvg } from '../platform/qrImages.ts'
import { type Checkout, frame, type RenderedPage } from './frame.ts'
import { type Html, html, trust } from './html.ts'
import { order, steps, storeLine } from './orderView.ts'
import { outcome, outcomeOf } from './outcomeView.ts'
import { amountText, icon, money } from './parts.ts'

// In each size of the style sheet, a module of the QR code is a whole number of pixels.
const QR_PX = 290

/** Without JavaScript, a pending page reloads itself. */
const REFRESH = html`<noscript><meta http-equiv="refresh" content="4"></noscript>\n`

export function renderCheckout(checkout: Checkout): RenderedPage {
  const { payment, store, locale } = checkout
  const translate = CHECKOUT_WORDS[locale]
  const isPending = payment.status === 'pending'
  const amount = amountText({ minor: payment.gross, currency: payment.currency }, locale)
  const title = isPending
    ? translate('pageTitle', { amount, store: store.name })
    : `${translate(outcomeOf(payment))} · ${store.name}`
  const main = isPending ? pendingView(checkout, translate) : outcome(checkout, translate)
  const { status, mode } = payment
  const body = frame({ status, isSandbox: mode === 'sandbox', locale, main }, translate)
  return { title, head: isPending ? REFRESH : html``, body }
}

function pendingView(checkout: Checkout, translate: Translate<CheckoutWords>): Html {
  const { payment, locale } = checkout
  const amount = { minor: payment.gross, currency: payment.currency }
  return html`
<section class="head">
${storeLine(checkout)}
<h1>${money(amount, locale, true)}</h1>
${conversionLine(checkout, translate)}
</section>
${payCard(checkout, translate)}
<section class="more">
<h2>${translate('howTo')}</h2>
${steps(translate, translate('stepConfirm'))}
${order(checkout, translate)}
${payment.referenceId === null ? null : html`<p class="small soft">${translate('reference')} <bdi>${payment.referenceId}</bdi></p>`}
</section>
`
}

function payCard(checkout: Checkout, translate: Translate<CheckoutWords>): Html {
  const { payment, basePath } = checkout
  const code = qrCodeOf(payment)
  const groups = code.match(/.{1,4}/g)!.join(' ')
  const wallet = `${basePath}/wallet#pay/${code}`
  const isSandbox = payment.mode === 'sandbox'
  return html`<section class="pay card" aria-label="${translate('scan')}">
${isSandbox ? html`<p class="ribbon" aria-hidden="true"><strong>${translate('sandbox')}</strong></p>` : null}
<div class="qr">${trust(qrSvg(code, QR_PX, translate('qrLabel', { number: groups })))}</div>
<div class="number"><p class="small soft">${translate('typeNumber')}</p>
<p class="digits" dir="ltr">${groups}</p>
<div class="number-actions"><button class="copy" type="button" data-copy="${code}" data-done="${translate('copied')}" hidden>${icon('copy')}<span>${translate('copy')}</span></button>
<a class="copy by-mouse" href="${wallet}" target="_top">${translate('openInWallet')}</a></div></div>
<a class="button button-wide open-wallet" href="${wallet}" target="_top">${translate('openInWallet')}</a>
${timeLeft(checkout, translate)}
<p class="small offline" data-offline hidden>${translate('offline')}</p>
</section>`
}

/** The remaining time. Without JavaScript, the clock and the ring don't move, but the time of expiry is correct. */
function timeLeft(
  { payment, store, locale, now }: Checkout,
  translate: Translate<CheckoutWords>,
): Html {
  const ms = (from: Date, to: Date) => Math.max(0, to.getTime() - from.getTime())
  const leftMs = ms(now, payment.expiresAt)
  const totalMs = ms(payment.createdAt, payment.expiresAt)
  const until = deadlineText(payment.expiresAt, now, { locale, timeZone: store.timeZone })
  return html`<div class="time" data-left-ms="${leftMs}" data-total-ms="${totalMs}" data-ends-at="${payment.expiresAt.toISOString()}">
<svg class="ring" viewBox="0 0 40 40" aria-hidden="true"><circle cx="20" cy="20" r="17"/><circle class="ring-left" cx="20" cy="20" r="17" pathLength="100" stroke-dasharray="${Math.round((leftMs / (totalMs || 1)) * 100)} 100"/></svg>
<p><span class="clock" role="timer"><span class="visually-hidden">${translate('timeLeft')}</span> <span data-clock>${clockText(leftMs / 1000)}</span></span>
<span class="small soft" data-until="${until}">${translate('payBefore', { time: until })}</span><span class="small" data-last hidden>${translate('lastMinute')}</span></p>
</div>`
}

/** The requested amount, if its currency is not the one that is paid. */
function conversionLine(
  { payment, locale }: Checkout,
  translate: Translate<CheckoutWords>,
): Html | null {
  if (payment.requestCurrency === payment.currency) return null
  const requested = { minor: payment.requestAmount, currency: payment.requestCurrency }
  const rate = formatRate(payment.conversionRate)
  return html`<p class="small soft">${translate('converted', { amount: amountText(requested, locale), rate })}</p>`
}
