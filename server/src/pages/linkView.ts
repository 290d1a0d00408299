import type { Locale } from '@florin/shared/locales.js'
import type { Translate } from '@florin/shared/translate.js'
import { CHECKOUT_WORDS, type CheckoutWords } from '@florin/shared/words/checkout/all.js'
import { type Link, linkStateOf, linkUrl } from '../core/link.ts'
import type { Store } from '../core/store.ts'
import { urlQrSvg } from '../platform/qrImages.ts'
import { frame, type RenderedPage } from './frame.ts'
import { type Html, html, trust } from './html.ts'
import { order, steps, storeLine } from './orderView.ts'
import { warningCard } from './outcomeView.ts'
import { icon, money } from './parts.ts'

const QR_PX = 290

type LinkPage = {
  readonly link: Link
  readonly store: Store
  readonly locale: Locale
  readonly basePath: string
  readonly publicUrl: string
  readonly now: Date
}

export function renderLink(page: LinkPage): RenderedPage {
  const { link, store, locale } = page
  const translate = CHECKOUT_WORDS[locale]
  const status = linkStateOf(link, page.now)
  const main =
    status === 'active' ? activeView(page, translate) : inactiveView(page, translate, status)
  const body = frame({ status, isSandbox: link.mode === 'sandbox', locale, main }, translate)
  return { title: `${link.title} · ${store.name}`, head: html``, body }
}

/** The page for an unknown link. It doesn't depend on the id, so it doesn't reveal which links a suspended store has. */
export function renderUnknownLink(locale: Locale): RenderedPage {
  const translate = CHECKOUT_WORDS[locale]
  const title = translate('linkUnknownTitle')
  const main = warningCard(title, translate('unknownNote'))
  const body = frame({ status: 'unknown', isSandbox: false, locale, main }, translate)
  return { title, head: html``, body }
}

function activeView(page: LinkPage, translate: Translate<CheckoutWords>): Html {
  const { link, locale } = page
  const { products, currency: requestCurrency, referenceNote, amount } = link
  const payment = { products, requestCurrency, referenceNote }
  const last = translate(amount === null ? 'stepEnterAmount' : 'stepConfirm')
  return html`
<section class="head">
${storeLine(page)}
<h1 class="link-title"><bdi>${link.title}</bdi></h1>
${amountLine(page, translate)}
${link.description === null ? null : html`<p class="soft note"><bdi>${link.description}</bdi></p>`}
</section>
${payCard(page, translate)}
<section class="more">
<h2>${translate('howTo')}</h2>
${steps(translate, last)}
${order({ payment, locale }, translate)}
</section>
`
}

function amountLine({ link, locale }: LinkPage, translate: Translate<CheckoutWords>): Html {
  const { amount, currency } = link
  if (amount === null) return html`<p class="link-open">${translate('payerChooses')}</p>`
  return html`<p>${money({ minor: amount, currency }, locale, true)}</p>`
}

function payCard(
  { link, basePath, publicUrl }: LinkPage,
  translate: Translate<CheckoutWords>,
): Html {
  const url = linkUrl(link.linkId, publicUrl)
  const isSandbox = link.mode === 'sandbox'
  return html`<section class="pay card" aria-label="${translate('scan')}">
${isSandbox ? html`<p class="ribbon" aria-hidden="true"><strong>${translate('sandbox')}</strong></p>` : null}
<div class="qr">${trust(urlQrSvg(url, QR_PX, translate('linkQrLabel')))}</div>
<a class="button button-wide link-wallet" href="${basePath}/wallet#link/${link.linkId}">${translate('openInWallet')}</a>
<button class="copy" type="button" data-copy="${url}" data-done="${translate('copied')}" hidden>${icon('copy')}<span>${translate('copyLink')}</span></button>
</section>`
}

function inactiveView(
  page: LinkPage,
  translate: Translate<CheckoutWords>,
  status: 'paused' | 'used_up' | 'expired',
): Html {
  const titles = {
    paused: 'pausedTitle',
    used_up: 'usedUpTitle',
    expired: 'linkExpiredTitle',
  } as const
  const note = translate(status === 'paused' ? 'pausedNote' : 'newLinkNote')
  return html`<section class="head">
${storeLine(page)}
<p class="link-title"><bdi>${page.link.title}</bdi></p>
</section>
${warningCard(translate(titles[status]), note)}`
}
