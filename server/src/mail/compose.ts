import { deviceOf } from '@florin/shared/device.js'
import type { Locale } from '@florin/shared/locales.js'
import { timeText } from '@florin/shared/time.js'
import { MAIL_WORDS } from '@florin/shared/words/mail/all.js'
import { parseTime } from '../core/calendar.ts'
import type { MailContent } from '../core/mail.ts'

/** An email before it is rendered as text and as HTML. */
export type ComposedMail = {
  readonly locale: Locale
  readonly subject: string
  readonly greeting: string
  readonly paragraphs: readonly string[]
  /** The money that the email is about, shown large. */
  readonly amount: readonly [label: string, value: string] | null
  readonly facts: readonly (readonly [label: string, value: string])[]
  /** A code to type, shown large. */
  readonly code: string | null
  readonly action: { readonly label: string; readonly url: string; readonly help: string } | null
  /** A paragraph in small print after the action. */
  readonly closing: string | null
  readonly footer: string
}

/** Writes an email in one language. `service` is the host name of this service. */
export function composeMail(
  content: MailContent,
  { locale, service }: { locale: Locale; service: string },
): ComposedMail {
  const translate = MAIL_WORDS[locale]
  const body = bodyOf(content, locale)
  // Anyone can request a sign-up email to any address, so it contains no text of the requester.
  const name = 'name' in content && content.template !== 'wallet_signup' ? content.name : ''
  return {
    locale,
    greeting: name === '' ? translate('helloWithoutName') : translate('hello', { name }),
    amount: null,
    facts: [],
    code: null,
    closing: null,
    ...body,
    action: body.action === undefined ? null : { ...body.action, help: translate('linkHelp') },
    footer: translate('footer', { service }),
  }
}

type Body = Pick<ComposedMail, 'subject' | 'paragraphs'> &
  Partial<Pick<ComposedMail, 'amount' | 'facts' | 'code' | 'closing'>> & {
    readonly action?: { readonly label: string; readonly url: string }
  }

/**
 * The browser and the system that a User-Agent header names. Not the header itself: the client chooses its text, and could
 * write a message into the email.
 */
const deviceText = (userAgent: string): string => {
  const { browser, system } = deviceOf(userAgent)
  return [browser, system].filter((part) => part !== null).join(', ')
}

function bodyOf(content: MailContent, locale: Locale): Body {
  const translate = MAIL_WORDS[locale]
  const time = (at: string) => timeText(parseTime(at) ?? new Date(0), { locale, timeZone: 'UTC' })
  const source = ({ device, address }: { device: string; address: string }) =>
    [
      [translate('device'), deviceText(device) || translate('unknown')],
      [translate('address'), address || translate('unknown')],
    ] as const

  switch (content.template) {
    case 'test':
      return { subject: translate('testSubject'), paragraphs: [translate('testBody')] }
    case 'invitation': {
      const { store, invitedBy: by, url } = content
      return {
        subject:
          store === null
            ? translate('invitationSubjectOperator')
            : translate('invitationSubjectStore', { store }),
        paragraphs: [
          store === null
            ? translate('invitationBodyOperator', { by })
            : translate('invitationBodyStore', { by, store }),
        ],
        action: { label: translate('choosePassword'), url },
        closing: translate('invitationEnd'),
      }
    }
    case 'password_reset':
      return {
        subject: translate('resetSubject'),
        paragraphs: [translate('resetBody')],
        action: { label: translate('choosePassword'), url: content.url },
        closing: translate('resetEnd'),
      }
    case 'wallet_activation':
      return {
        subject: translate('activationSubject'),
        paragraphs: [translate('activationBody')],
        code: content.code,
        action: { label: translate('activate'), url: content.url },
        closing: translate('activationEnd'),
      }
    case 'wallet_signup':
      return {
        subject: translate('signupSubject'),
        paragraphs: [translate('signupBody')],
        code: content.code,
        action: { label: translate('openWallet'), url: content.url },
        closing: translate('signupEnd'),
      }
    case 'new_device':
      return {
        subject: translate('newDeviceSubject'),
        paragraphs: [translate('newDeviceBody')],
        facts: [...source(content), [translate('time'), time(content.at)]],
        closing: translate('newDeviceEnd'),
      }
    case 'account_changed':
      return {
        subject: translate('changedSubject'),
        paragraphs: [translate(`changed_${content.change}`)],
        facts: [...source(content), [translate('time'), time(content.at)]],
        closing: translate(content.change === 'pin' ? 'changedEndPin' : 'changedEnd'),
      }
    case 'new_credential':
      return {
        subject: translate(`credentialSubject_${content.kind}`),
        paragraphs: [translate(`credentialBody_${content.kind}`)],
        facts: [
          [translate('label'), content.label],
          [translate('createdBy'), content.by],
          [translate('time'), time(content.at)],
        ],
        closing: translate('credentialEnd'),
      }
    case 'payout': {
      const { store, amount, note } = content
      return {
        subject: translate('payoutSubject', { amount }),
        paragraphs: [translate('payoutBody', { amount, store })],
        amount: [translate('amount'), amount],
        facts: [
          ...(note === '' ? [] : ([[translate('note'), note]] as const)),
          [translate('time'), time(content.at)],
        ],
      }
    }
    case 'approval_needed': {
      const { kind, subject, amount, by, url } = content
      return {
        subject: translate('approvalSubject', { amount }),
        paragraphs: [translate('approvalBody', { by })],
        amount: [translate('amount'), amount],
        facts: [
          [translate('action'), translate(`move_${kind}`)],
          [translate('account'), subject],
        ],
        action: { label: translate('review'), url },
      }
    }
    case 'receipt':
    case 'refund': {
      const { template, store, amount, gross, donation, refundFee, reference, paymentId } = content
      const subject = translate(`${template}Subject`, { store })
      return {
        subject: content.isTest ? translate('testMark', { subject }) : subject,
        paragraphs: [
          donation === null
            ? translate(`${template}Body`, { amount, store })
            : translate('receiptBodyDonation', { amount: gross, store, donation }),
          ...(content.isTest ? [translate('testPayment')] : []),
        ],
        amount: [translate(template === 'refund' ? 'refunded' : 'paid'), amount],
        facts: [
          ...(donation === null
            ? []
            : ([
                [store, gross],
                [translate('donation'), donation],
              ] as const)),
          ...(refundFee === null
            ? []
            : ([
                [translate('paid'), gross],
                [translate('refundFee'), refundFee],
              ] as const)),
          ...(reference === null ? [] : ([[translate('reference'), reference]] as const)),
          [translate('payment'), paymentId],
          [translate('time'), time(content.at)],
        ],
      }
    }
    case 'payment_request': {
      const { store, amount, note, reference, expiresAt, url } = content
      return {
        subject: translate('requestSubject', { store, amount }),
        paragraphs: [translate('requestBody', { store, amount })],
        facts: [
          ...(note === null ? [] : ([[translate('note'), note]] as const)),
          ...(reference === null ? [] : ([[translate('reference'), reference]] as const)),
          [translate('requestUntil'), time(expiresAt)],
        ],
        action: { label: translate('requestAction'), url },
        closing: translate('requestEnd'),
      }
    }
    case 'daily_close': {
      const { store, day, payments, gross, refunds, fees, net, url } = content
      return {
        subject: translate('closeSubject', { store, day }),
        paragraphs: [translate('closeBody', { store, day })],
        amount: [translate('net'), net],
        facts: [
          [translate('payments'), String(payments)],
          [translate('sales'), gross],
          [translate('refunds'), refunds],
          [translate('fees'), fees],
        ],
        action: { label: translate('openDashboard'), url },
      }
    }
  }
}
