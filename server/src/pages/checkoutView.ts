import type { Say } from '@florin/shared/say.js'
import { clockText, hourText } from '@florin/shared/time.js'
import { CHECKOUT_WORDS, type CheckoutWords } from '@florin/shared/words/checkout/all.js'
import { formatRate } from '../core/money.ts'
import { qrCodeOf } from '../core/paymentView.ts'
import { qrSvg } from '../platform/qrImages.ts'
import { type Checkout, frame, type Rendered } from './frame.ts'
import { type Html, html, trusted } from './html.ts'
import { order, steps, storeLine } from './orderView.ts'
import { outcome, outcomeOf } from './outcomeView.ts'
import { amountText, icon, money } from './parts.ts'

// In each size of the style sheet, a module of the QR code is a whole number of pixels.
const QR_PX = 290

/** Without JavaScript, a pending page reloads itself. */
const REFRESH = html`<noscript><meta http-equiv="refresh" content="4"></noscript>\n`

export function renderCheckout(checkout: Checkout): Rendered {
  const { payment, store, locale } = checkout
  const say = CHECKOUT_WORDS[locale]
  const isPending = payment.status === 'pending'
  const amount = amountText({ minor: payment.gross, currency: payment.currency }, locale)
  const title = isPending
    ? say('pageTitle', { amount, store: store.name })
    : `${say(outcomeOf(payment))} · ${store.name}`
  const main = isPending ? pending(checkout, say) : outcome(checkout, say)
  const { status, mode } = payment
  const body = frame({ status, isSandbox: mode === 'sandbox', locale, main }, say)
  return { title, head: isPending ? REFRESH : html``, body }
}

function pending(checkout: Checkout, say: Say<CheckoutWords>): Html {
  const { payment, locale } = checkout
  const amount = { minor: payment.gross, currency: payment.currency }
  return html`
<section class="head">
${storeLine(checkout)}
<h1>${money(amount, locale, 'money money-large')}</h1>
${converted(checkout, say)}
</section>
${payCard(checkout, say)}
<section class="more">
<h2>${say('howTo')}</h2>
${steps(say, say('step3'))}
${order(checkout, say)}
${payment.referenceId === null ? null : html`<p class="small soft">${say('reference')} <bdi>${payment.referenceId}</bdi></p>`}
</section>
`
}

function payCard(checkout: Checkout, say: Say<CheckoutWords>): Html {
  const { payment, basePath } = checkout
  const code = qrCodeOf(payment)
  const groups = code.match(/.{1,4}/g)!.join(' ')
  const wallet = `${basePath}/wallet#pay/${code}`
  const isSandbox = payment.mode === 'sandbox'
  return html`<section class="pay card" aria-label="${say('scan')}">
${isSandbox ? html`<p class="ribbon" aria-hidden="true"><strong>${say('sandbox')}</strong></p>` : null}
<div class="qr">${trusted(qrSvg(code, QR_PX, say('qrLabel', { number: groups })))}</div>
<div class="number"><p class="small soft">${say('typeNumber')}</p>
<p class="digits" dir="ltr">${groups}</p>
<div class="number-actions"><button class="copy" type="button" data-copy="${code}" data-done="${say('copied')}" hidden>${icon('copy')}<span>${say('copy')}</span></button>
<a class="copy by-mouse" href="${wallet}" target="_top">${say('openInWallet')}</a></div></div>
<a class="button button-wide open-wallet" href="${wallet}" target="_top">${say('openInWallet')}</a>
${timeLeft(checkout, say)}
</section>`
}

/** The remaining time. Without JavaScript, the clock and the ring don't move, but the time of expiry is correct. */
function timeLeft({ payment, store, locale, now }: Checkout, say: Say<CheckoutWords>): Html {
  const ms = (from: Date, to: Date) => Math.max(0, to.getTime() - from.getTime())
  const leftMs = ms(now, payment.expiresAt)
  const totalMs = ms(payment.createdAt, payment.expiresAt)
  const until = hourText(payment.expiresAt, { locale, timeZone: store.timeZone })
  return html`<div class="time" data-left-ms="${leftMs}" data-total-ms="${totalMs}" data-ends-at="${payment.expiresAt.toISOString()}">
<svg class="ring" viewBox="0 0 40 40" aria-hidden="true"><circle cx="20" cy="20" r="17"/><circle class="ring-left" cx="20" cy="20" r="17" pathLength="100" stroke-dasharray="${Math.round((leftMs / (totalMs || 1)) * 100)} 100"/></svg>
<p><span class="clock" role="timer"><span class="visually-hidden">${say('timeLeft')}</span> <span data-clock>${clockText(leftMs / 1000)}</span></span>
<span class="small soft" data-until="${until}">${say('payBefore', { time: until })}</span><span class="small" data-last hidden>${say('lastMinute')}</span></p>
</div>`
}

/** The requested amount, if its currency is not the one that is paid. */
function converted({ payment, locale }: Checkout, say: Say<CheckoutWords>): Html | null {
  if (payment.requestCurrency === payment.currency) return null
  const requested = { minor: payment.requestAmount, currency: payment.requestCurrency }
  const rate = `${formatRate(payment.conversionRate)}`
  return html`<p class="small soft">${say('converted', { amount: amountText(requested, locale), rate })}</p>`
}
