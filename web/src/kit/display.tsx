import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import { ICONS, type IconName } from '@florin/shared/icons.js'
import type { Locale } from '@florin/shared/locales.js'
import { moneyParts, moneyText } from '@florin/shared/money.js'
import type { ReactNode } from 'react'

/** Only ever beside words, so it says nothing itself. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}

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

export type Status = 'pending' | 'completed' | 'failed' | 'expired' | 'refunded'

/** Shape, word and colour: never colour alone. */
export function StatusBadge({ status, word }: { status: Status; word: string }) {
  return (
    <span className={`status tone-${status}`}>
      <Icon name={status} />
      {word}
    </span>
  )
}

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values; what there is none of is left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const known = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== false,
  )
  return (
    <dl className="facts">
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Card({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <section className="card" aria-label={label}>
      {children}
    </section>
  )
}
