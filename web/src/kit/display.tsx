import { type CurrencyCode, decimalsOf } from '@florin/server/core/currencies.js'
import type { Status } from '@florin/server/core/payment.js'
import { ICONS, type IconName } from '@florin/shared/icons.js'
import { largeMoneyClass, moneyParts, moneyText } from '@florin/shared/money.js'
import { timeText } from '@florin/shared/time.js'
import type { ReactNode } from 'react'
import { useCommonLanguage } from './language.tsx'
import { LOCAL_TIME_ZONE, parseTime } from './time.ts'

/** Always beside text or in a labelled control, so hidden from screen readers. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  )
}

/** Formats an amount from the API as plain text. */
export function useMoneyText(): (amount: string, currency: string) => string {
  const { locale } = useCommonLanguage()
  return (amount, currency) =>
    moneyText(amount, { currency, decimals: decimalsOf(currency as CurrencyCode), locale })
}

/** Formats a time from the API, by default in the time zone of this device. */
export function useTimeText(timeZone = LOCAL_TIME_ZONE): (at: string) => string {
  const { locale } = useCommonLanguage()
  return (at) => timeText(parseTime(at), { locale, timeZone })
}

type MoneyProps = { amount: string; currency: string; isLarge?: boolean }

/** An amount from the API. A large one shows its minor units at half the size. */
export function Money({ amount, currency, isLarge }: MoneyProps) {
  const { locale } = useCommonLanguage()
  const decimals = decimalsOf(currency as CurrencyCode)
  const { major, minor } = moneyParts(amount, { currency, decimals, locale })
  return (
    <span className={isLarge ? largeMoneyClass(major) : 'money'}>
      <span>{major}</span>
      {minor && <span className="money-minor">{minor}</span>}
      <span className="money-currency"> {currency}</span>
    </span>
  )
}

/** A status as people see it. The API calls a payment that the store cancelled `expired`. */
export type ShownStatus = Status | 'cancelled'
export type FinalStatus = Exclude<ShownStatus, 'pending'>

/** The status of a payment as icon, text and colour, never as colour alone. */
export function StatusBadge({ status }: { status: ShownStatus }) {
  const { translate } = useCommonLanguage()
  return (
    <span className={`status tone-${status}`}>
      <Icon name={status} />
      {translate(status)}
    </span>
  )
}

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values. Facts without a value are left out. */
export function Facts({ facts }: { facts: readonly Fact[] }) {
  const shownFacts = facts.filter(
    ([, value]) => value !== null && value !== undefined && value !== false,
  )
  return (
    <dl className="facts">
      {shownFacts.map(([name, value], n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two products can have the same name, and facts never move.
        <div key={`${n} ${name}`}>
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

type NoticeProps = { tone: Status; children: ReactNode; role?: 'alert' | 'status' }

export function Notice({ tone, children, role }: NoticeProps) {
  return (
    <p className={`notice tone-${tone}`} role={role}>
      <Icon name={tone === 'completed' ? 'completed' : 'warning'} />
      {children}
    </p>
  )
}
