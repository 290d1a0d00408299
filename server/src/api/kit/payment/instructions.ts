import { directionOf, LOCALES, type Locale } from '@florin/shared/locales.js'
import { CHECKOUT_WORDS } from '@florin/shared/words/checkout/all.js'
import { formatMinor } from '../../../core/money.ts'
import type { Payment } from '../../../core/payment.ts'
import type { Store } from '../../../core/store.ts'
import { escapeHtml } from '../../../core/text.ts'

const STEPS = Object.fromEntries(
  LOCALES.map((locale) => {
    const translate = CHECKOUT_WORDS[locale]
    const steps = [translate('stepOpenWallet'), translate('stepScan'), translate('stepConfirm')]
    return [locale, steps.map((step) => `<li>${escapeHtml(step)}</li>`).join('')]
  }),
) as Record<Locale, string>

type DeadlineFormat = { readonly formatter: Intl.DateTimeFormat; minute: number; text: string }

const formats = new Map<string, DeadlineFormat>()

/** More than a service usually needs. Bounded, because stores choose their time zones, whose names are not case-sensitive. */
const MAX_FORMATS = 1_000

/** Formats to the minute and caches the last result of each format, because `Intl.DateTimeFormat` is slow. */
function formatDeadline(at: Date, locale: Locale, timeZone: string): string {
  const name = `${locale} ${timeZone}`
  let format = formats.get(name)
  if (format === undefined) {
    const formatter = new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    })
    format = { formatter, minute: Number.NaN, text: '' }
    if (formats.size >= MAX_FORMATS) formats.clear()
    formats.set(name, format)
  }
  const minute = Math.floor(at.getTime() / 60_000)
  if (minute !== format.minute) {
    format.text = format.formatter.format(at)
    format.minute = minute
  }
  return format.text
}

/** An HTML fragment that a shop can show beside the QR code. All text in it is escaped. */
export function instructions(payment: Payment, store: Store, locale: Locale): string {
  const translate = CHECKOUT_WORDS[locale]
  const amount = `${formatMinor(payment.gross, payment.currency)} ${payment.currency}`
  const time = formatDeadline(payment.expiresAt, locale, store.timeZone)
  return (
    `<div class="florin-instructions" lang="${locale}" dir="${directionOf(locale)}">` +
    `<p><strong>${escapeHtml(translate('pageTitle', { amount, store: store.name }))}</strong></p>` +
    `<ol>${STEPS[locale]}</ol>` +
    `<p>${escapeHtml(translate('payBeforeSentence', { time }))}</p></div>`
  )
}
