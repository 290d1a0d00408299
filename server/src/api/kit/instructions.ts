import type { Locale } from '@florin/shared/locales.js'
import { formatMinor } from '../../core/money.ts'
import type { Payment } from '../../core/payment.ts'
import type { Store } from '../../core/store.ts'
import { escapeHtml } from '../../core/text.ts'

type Words = {
  readonly title: (amount: string, store: string) => string
  readonly steps: readonly [string, string, string]
  readonly until: (time: string) => string
}

const WORDS: Record<Locale, Words> = {
  en: {
    title: (amount, store) => `Pay ${amount} to ${store}`,
    steps: ['Open your wallet.', 'Scan the QR code.', 'Check the amount and confirm.'],
    until: (time) => `Pay before ${time}.`,
  },
  es: {
    title: (amount, store) => `Paga ${amount} a ${store}`,
    steps: ['Abre tu cartera.', 'Escanea el código QR.', 'Comprueba el importe y confirma.'],
    until: (time) => `Paga antes de ${time}.`,
  },
  fr: {
    title: (amount, store) => `Payez ${amount} à ${store}`,
    steps: [
      'Ouvrez votre portefeuille.',
      'Scannez le code QR.',
      'Vérifiez le montant et confirmez.',
    ],
    until: (time) => `Payez avant ${time}.`,
  },
  ar: {
    title: (amount, store) => `ادفع ${amount} إلى ${store}`,
    steps: ['افتح محفظتك.', 'امسح رمز الاستجابة السريعة.', 'تحقق من المبلغ ثم أكّد.'],
    until: (time) => `ادفع قبل ${time}.`,
  },
  zh: {
    title: (amount, store) => `向 ${store} 支付 ${amount}`,
    steps: ['打开您的钱包。', '扫描二维码。', '核对金额并确认。'],
    until: (time) => `请在 ${time} 前付款。`,
  },
}

const STEPS = Object.fromEntries(
  Object.entries(WORDS).map(([locale, { steps }]) => [
    locale,
    steps.map((step) => `<li>${escapeHtml(step)}</li>`).join(''),
  ]),
) as Record<Locale, string>

type Clock = { readonly formatter: Intl.DateTimeFormat; minute: number; words: string }

const clocks = new Map<string, Clock>()

/** To the minute, so what the slow formatter said serves everybody else in that minute. */
function formatUntil(at: Date, locale: Locale, timeZone: string): string {
  const name = `${locale} ${timeZone}`
  let clock = clocks.get(name)
  if (clock === undefined) {
    const formatter = new Intl.DateTimeFormat(locale, {
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      timeZone,
      timeZoneName: 'short',
    })
    clock = { formatter, minute: Number.NaN, words: '' }
    clocks.set(name, clock)
  }
  const minute = Math.floor(at.getTime() / 60_000)
  if (minute !== clock.minute) {
    clock.words = clock.formatter.format(at)
    clock.minute = minute
  }
  return clock.words
}

/** A small piece of HTML that a shop can show beside the code. Everything in it is escaped. */
export function instructions(payment: Payment, store: Store, locale: Locale): string {
  const words = WORDS[locale]
  const amount = `${formatMinor(payment.gross, payment.currency)} ${payment.currency}`
  const until = formatUntil(payment.expiresAt, locale, store.timeZone)
  const direction = locale === 'ar' ? 'rtl' : 'ltr'
  return (
    `<div class="florin-instructions" lang="${locale}" dir="${direction}">` +
    `<p><strong>${escapeHtml(words.title(amount, store.name))}</strong></p>` +
    `<ol>${STEPS[locale]}</ol>` +
    `<p>${escapeHtml(words.until(until))}</p></div>`
  )
}
