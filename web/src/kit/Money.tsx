import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import type { Locale } from '@florin/shared/locales.js'
import { moneyParts, moneyText } from '@florin/shared/money.js'

type Amount = { amount: string; currency: string; locale: Locale }

/** In a sentence, or where only text can stand. */
export function amountText({ amount, currency, locale }: Amount): string {
  return moneyText(amount, { currency, decimals: decimalsOf(currency as CurrencyCode), locale })
}

/** An amount as the API writes it. Large ones show their minor units at half the size. */
export function Money({ amount, currency, locale, isLarge }: Amount & { isLarge?: boolean }) {
  const decimals = decimalsOf(currency as CurrencyCode)
  const { major, minor } = moneyParts(amount, { currency, decimals, locale })
  return (
    <span className={isLarge ? 'money money-large' : 'money'}>
      <span>{major}</span>
      {minor && <span className="money-minor">{minor}</span>}
      <span className="money-currency"> {currency}</span>
    </span>
  )
}
