import { TEMPLATES } from '@florin/contract/values.js'
import { LOCALES, type Locale } from '@florin/shared/locales.js'
import { moneyText } from '@florin/shared/money.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MailContent } from '../../src/core/mail.ts'
import { composeMail } from '../../src/mail/compose.ts'
import { renderMail } from '../../src/mail/render.ts'
import { createSmtpClient } from '../../src/mail/smtp.ts'
import { type MailServer, startMailServer } from '../setup/mailServer.ts'
import { CONTENTS } from './contents.ts'

/** Fields that an email shows in another form, or not at all. */
const NOT_VERBATIM = ['template', 'isTest', 'at', 'change', 'kind', 'expiresAt', 'device']

const render = (content: MailContent, locale: Locale = 'en') =>
  renderMail(composeMail(content, { locale, service: 'pay.example.com' }))

describe.each(TEMPLATES)('%s', (template) => {
  const content = CONTENTS[template]
  it.each(LOCALES)('in %s is complete, as text and as HTML', (locale) => {
    const { subject, text, html } = render(content, locale)
    const parts = [subject, text, html]
    for (const part of parts) expect(part).not.toMatch(/\{\w+\}|undefined|null|NaN|\[object/)
    expect(subject).not.toBe('')
    expect(html).toContain(`<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}">`)
    // Each other value is in both versions.
    for (const [field, value] of Object.entries(content)) {
      if (NOT_VERBATIM.includes(field) || value === null || value === '') continue
      const escaped = String(value).replaceAll('&', '&amp;')
      expect(text).toContain(String(value))
      expect(html).toContain(escaped)
    }
    if (locale !== 'en') expect(subject).not.toBe(render(content, 'en').subject)
  })

  it('has no external resources, scripts or tracking', () => {
    const { html } = render(content)
    expect(html).not.toMatch(
      /<(img|script|link|iframe|object|form|video|audio)\b|url\(|@import|\son\w+=/i,
    )
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, url]) => url)
    expect(links).toEqual('url' in content ? [content.url] : [])
    expect(html).toContain('prefers-color-scheme: dark')
  })
})

it('an English invitation has the expected subject and text', () => {
  expect(render(CONTENTS.invitation)).toMatchObject({
    subject: 'Your invitation to Corner Café',
    text: `Hello Grace Hopper,

Ada Lovelace has added you to Corner Café. Choose a password, then sign in.

Choose a password:
${CONTENTS.invitation.url}

The link works once and expires in 72 hours. If you did not expect this invitation, ignore this email.

-- 
This is an automated email from pay.example.com. Please do not reply.
`,
  })
})

it('a receipt separates the donation from the payment, and a refund names its fee', () => {
  expect(render(CONTENTS.receipt).text).toBe(`Hello Grace Hopper,

You paid 12.50 USD to Corner Café and gave 0.50 USD to charity.

Paid: 13.00 USD
Corner Café: 12.50 USD
Donation to charity: 0.50 USD
Reference: order-42
Payment: pay_01jd3v0000000000000000000
Time: Nov 16, 2026, 09:12 AM UTC

-- 
This is an automated email from pay.example.com. Please do not reply.
`)
  expect(render(CONTENTS.refund).text).toContain(`Refunded: 12.00 USD
Paid: 12.50 USD
Refund fee: 0.50 USD
`)
})

it('an Arabic amount has no extra spaces, although pages isolate its direction', () => {
  const amount = moneyText('12.50', { currency: 'USD', decimals: 2, locale: 'ar' })
  const { text } = render({ ...CONTENTS.receipt, amount, donation: null }, 'ar')
  expect(text).toContain('دفعت 12.50\u00a0USD إلى Corner Café.')
})

it('a test payment is marked as a test, in the subject and in the text', () => {
  const { subject, text } = render(CONTENTS.refund)
  expect(subject).toBe('[Test] Refund from Corner Café')
  expect(text).toContain('This is a test payment. No money was moved.')
})

describe('user-supplied text', () => {
  let server: MailServer
  beforeAll(async () => {
    server = await startMailServer()
  })
  afterAll(() => server.close())

  const HOSTILE = [
    'Ada\r\nBcc: victim@example.com\r\n\r\nNew body',
    'Ada\nSubject: other',
    'Ada\u2028Bcc: victim@example.com',
    '<script>alert(1)</script><img src=x onerror=alert(1)>',
    '"><a href="https://evil.example">',
    '=?utf-8?Q?=0D=0ABcc=3A_victim=40example=2Ecom?=',
    'Ünïcödé 商店 متجر 🏪'.repeat(12),
    'x'.repeat(5_000),
    '\u202egnp.exe',
    '\ud800 lone',
    '{name} {store}',
  ]
  it.each(HOSTILE.map((text) => [text.slice(0, 40), text]))(
    'adds no header, recipient or element: %j',
    async (_, hostile = '') => {
      const rendered = render({
        ...CONTENTS.receipt,
        store: hostile,
        name: hostile,
        reference: hostile,
      })
      const client = createSmtpClient({ smtpUrl: server.url, from: 'pay@florin.example' })
      const count = server.received.length
      await client.send({ ...rendered, mailId: 'mail_1', to: 'ada@example.com', at: new Date(0) })
      client.close()
      await server.untilReceived(count + 1)
      const { to, raw, parsed } = server.received.at(-1)!
      expect(to).toEqual(['ada@example.com'])
      expect(parsed.to).toEqual([{ address: 'ada@example.com', name: '' }])
      expect(parsed.bcc).toBeUndefined()
      expect(parsed.headers.map(({ key }) => key).sort()).toEqual([
        'auto-submitted',
        'content-type',
        'date',
        'from',
        'message-id',
        'mime-version',
        'subject',
        'to',
      ])
      expect(parsed.subject).toBe(rendered.subject)
      expect(rendered.subject.length).toBeLessThanOrEqual(400)
      const longest = Math.max(...raw.split('\r\n').map((line) => Buffer.byteLength(line)))
      expect(longest).toBeLessThanOrEqual(998)
      expect(parsed.html).not.toMatch(/<(script|img|a)\b/)
      expect(`${rendered.subject}${rendered.html}`).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
    },
  )
})
