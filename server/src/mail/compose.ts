import type { Locale } from '@florin/shared/locales.js'
import { timeText } from '@florin/shared/time.js'
import { MAIL_WORDS } from '@florin/shared/words/mail/all.js'
import { parseTime } from '../core/calendar.ts'
import type { MailContent } from '../core/mail.ts'

/** An email before it is rendered as text and as HTML. */
export type ComposedMail = {
  readonly locale: Locale
  readonly subject: string
  readonly greeting: string | null
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
  const say = MAIL_WORDS[locale]
  const body = bodyOf(content, locale)
  // Anyone can request a sign-up email to any address, so it contains no text of the requester.
  const name = 'name' in content && content.template !== 'wallet_signup' ? content.name : ''
  return {
    locale,
    greeting: name === '' ? say('helloWithoutName') : say('hello', { name }),
    amount: null,
    facts: [],
    code: null,
    closing: null,
    ...body,
    action: body.action === undefined ? null : { ...body.action, help: say('linkHelp') },
    footer: say('footer', { service }),
  }
}

type Body = Pick<ComposedMail, 'subject' | 'paragraphs'> &
  Partial<Pick<ComposedMail, 'amount' | 'facts' | 'code' | 'closing'>> & {
    readonly action?: { readonly label: string; readonly url: string }
  }

function bodyOf(content: MailContent, locale: Locale): Body {
  const say = MAIL_WORDS[locale]
  const time = (at: string) => timeText(parseTime(at) ?? new Date(0), { locale, timeZone: 'UTC' })
  const source = ({ device, address }: { device: string; address: string }) =>
    [
      [say('device'), device || say('unknown')],
      [say('address'), address || say('unknown')],
    ] as const

  switch (content.template) {
    case 'test':
      return { subject: say('testSubject'), paragraphs: [say('testBody')] }
    case 'invitation': {
      const { store, invitedBy: by, url } = content
      return {
        subject:
          store === null
            ? say('invitationSubjectOperator')
            : say('invitationSubjectStore', { store }),
        paragraphs: [
          store === null
            ? say('invitationBodyOperator', { by })
            : say('invitationBodyStore', { by, store }),
        ],
        action: { label: say('choosePassword'), url },
        closing: say('invitationEnd'),
      }
    }
    case 'password_reset':
      return {
        subject: say('resetSubject'),
        paragraphs: [say('resetBody')],
        action: { label: say('choosePassword'), url: content.url },
        closing: say('resetEnd'),
      }
    case 'wallet_activation':
      return {
        subject: say('activationSubject'),
        paragraphs: [say('activationBody')],
        code: content.code,
        action: { label: say('activate'), url: content.url },
        closing: say('activationEnd'),
      }
    case 'wallet_signup':
      return {
        subject: say('signupSubject'),
        paragraphs: [say('signupBody')],
        code: content.code,
        action: { label: say('openWallet'), url: content.url },
        closing: say('signupEnd'),
      }
    case 'new_device':
      return {
        subject: say('newDeviceSubject'),
        paragraphs: [say('newDeviceBody')],
        facts: [...source(content), [say('time'), time(content.at)]],
        closing: say('newDeviceEnd'),
      }
    case 'account_changed':
      return {
        subject: say('changedSubject'),
        paragraphs: [say(`changed_${content.change}`)],
        facts: [...source(content), [say('time'), time(content.at)]],
        closing: say(content.change === 'pin' ? 'changedEndPin' : 'changedEnd'),
      }
    case 'new_credential':
      return {
        subject: say(`credentialSubject_${content.kind}`),
        paragraphs: [say(`credentialBody_${content.kind}`)],
        facts: [
          [say('label'), content.label],
          [say('createdBy'), content.by],
          [say('time'), time(content.at)],
        ],
        closing: say('credentialEnd'),
      }
    case 'payout': {
      const { store, amount, note } = content
      return {
        subject: say('payoutSubject', { amount }),
        paragraphs: [say('payoutBody', { amount, store })],
        amount: [say('amount'), amount],
        facts: [
          ...(note === '' ? [] : ([[say('note'), note]] as const)),
          [say('time'), time(content.at)],
        ],
      }
    }
    case 'approval_needed': {
      const { kind, subject, amount, by, url } = content
      return {
        subject: say('approvalSubject', { amount }),
        paragraphs: [say('approvalBody', { by })],
        amount: [say('amount'), amount],
        facts: [
          [say('action'), say(`move_${kind}`)],
          [say('account'), subject],
        ],
        action: { label: say('review'), url },
      }
    }
    case 'receipt':
    case 'refund': {
      const { template, store, amount, gross, donation, refundFee, reference, paymentId } = content
      const subject = say(`${template}Subject`, { store })
      return {
        subject: content.isTest ? say('testMark', { subject }) : subject,
        paragraphs: [
          donation === null
            ? say(`${template}Body`, { amount, store })
            : say('receiptBodyDonation', { amount: gross, store, donation }),
          ...(content.isTest ? [say('testPayment')] : []),
        ],
        amount: [say(template === 'refund' ? 'refunded' : 'paid'), amount],
        facts: [
          ...(donation === null
            ? []
            : ([
                [store, gross],
                [say('donation'), donation],
              ] as const)),
          ...(refundFee === null
            ? []
            : ([
                [say('paid'), gross],
                [say('refundFee'), refundFee],
              ] as const)),
          ...(reference === null ? [] : ([[say('reference'), reference]] as const)),
          [say('payment'), paymentId],
          [say('time'), time(content.at)],
        ],
      }
    }
    case 'payment_request': {
      const { store, amount, note, reference, expiresAt, url } = content
      return {
        subject: say('requestSubject', { store, amount }),
        paragraphs: [say('requestBody', { store, amount })],
        facts: [
          ...(note === null ? [] : ([[say('note'), note]] as const)),
          ...(reference === null ? [] : ([[say('reference'), reference]] as const)),
          [say('requestUntil'), time(expiresAt)],
        ],
        action: { label: say('requestAction'), url },
        closing: say('requestEnd'),
      }
    }
    case 'daily_close': {
      const { store, day, payments, gross, refunds, fees, net, url } = content
      return {
        subject: say('closeSubject', { store, day }),
        paragraphs: [say('closeBody', { store, day })],
        amount: [say('net'), net],
        facts: [
          [say('payments'), String(payments)],
          [say('sales'), gross],
          [say('refunds'), refunds],
          [say('fees'), fees],
        ],
        action: { label: say('openDashboard'), url },
      }
    }
  }
}
