import { COIN_LETTER, ICONS, type IconName } from '@florin/shared/icons.js'
import { LANGUAGE_NAMES, LOCALES, type Locale } from '@florin/shared/locales.js'
import { largeMoneyClass, moneyParts, moneyText } from '@florin/shared/money.js'
import { type CurrencyCode, decimalsOf } from '../core/currencies.ts'
import { formatMinor } from '../core/money.ts'
import { type Html, html } from './html.ts'

// Components for pages that the server renders. Their styles are in `web/src/kit/styles`, except those of `languages`.

type Amount = { readonly minor: bigint; readonly currency: CurrencyCode }

const inLocale = ({ currency }: Amount, locale: Locale) => ({
  currency,
  locale,
  decimals: decimalsOf(currency),
})

export const amountText = (amount: Amount, locale: Locale) =>
  moneyText(formatMinor(amount.minor, amount.currency), inLocale(amount, locale))

export function money(amount: Amount, locale: Locale, isLarge = false): Html {
  const text = formatMinor(amount.minor, amount.currency)
  const { major, minor, currency } = moneyParts(text, inLocale(amount, locale))
  const className = isLarge ? largeMoneyClass(major) : 'money'
  return html`<span class="${className}"><span>${major}</span><span class="money-minor">${minor}</span><span class="money-currency"> ${currency}</span></span>`
}

export const icon = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`

export const brand = (): Html =>
  html`<span class="brand"><svg viewBox="0 0 24 24" aria-hidden="true"><circle class="brand-coin" cx="12" cy="12" r="11"/><path class="brand-letter" d="${COIN_LETTER}"/></svg>Florin</span>`

/** Links instead of a menu, so that they work without JavaScript. */
export function languages(shown: Locale, label: string): Html {
  const link = (locale: Locale) =>
    locale === shown
      ? html`<a href="?lang=${locale}" lang="${locale}" aria-current="true">${LANGUAGE_NAMES[locale]}</a>`
      : html`<a href="?lang=${locale}" lang="${locale}" hreflang="${locale}">${LANGUAGE_NAMES[locale]}</a>`
  return html`<nav class="languages" aria-label="${label}">${LOCALES.map(link)}</nav>`
}
