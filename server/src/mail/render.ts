import { directionOf } from '@florin/shared/locales.js'
import { escapeHtml } from '../core/text.ts'
import type { ComposedMail } from './compose.ts'

export type RenderedMail = {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** Renders an email as text and as HTML. Nothing in it is loaded from elsewhere. */
export function renderMail(mail: ComposedMail): RenderedMail {
  const clean = sanitizeMail(mail)
  return { subject: clean.subject, text: textOf(clean), html: htmlOf(clean) }
}

const MAX_SUBJECT_CHARACTERS = 150

/**
 * One line without control characters. Names and notes come from other people, so they must not add lines or headers, or
 * reverse the order of the text around them.
 */
const oneLine = (text: string) =>
  text
    .toWellFormed()
    .replace(/[\u202a-\u202e\u2066-\u2069]+/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()

function sanitizeMail(mail: ComposedMail): ComposedMail {
  const { amount, code, action, closing } = mail
  const cleanFact = ([label, value]: readonly [string, string]) =>
    [oneLine(label), oneLine(value)] as const
  return {
    locale: mail.locale,
    // An email client would decode text that looks like an encoded word.
    subject: [...oneLine(mail.subject).replaceAll('=?', '= ?')]
      .slice(0, MAX_SUBJECT_CHARACTERS)
      .join(''),
    greeting: oneLine(mail.greeting),
    paragraphs: mail.paragraphs.map(oneLine),
    amount: amount && cleanFact(amount),
    facts: mail.facts.map(cleanFact),
    code: code && oneLine(code),
    action: action && { ...action, url: oneLine(action.url) },
    closing,
    footer: mail.footer,
  }
}

function textOf({
  greeting,
  paragraphs,
  amount,
  facts,
  code,
  action,
  closing,
  footer,
}: ComposedMail): string {
  const blocks = [
    greeting,
    ...paragraphs,
    code,
    [...(amount ? [amount] : []), ...facts]
      .map(([label, value]) => `${label}: ${value}`)
      .join('\n'),
    action && `${action.label}:\n${action.url}`,
    closing,
    `-- \n${footer}`,
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

// Email clients ignore most of CSS, so the styles are inline and few. The media query is for clients that support it.
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .paper { background: #17181a !important; }
  .card { background: #222427 !important; border-color: #3a3d42 !important; }
  .ink { color: #f1f1ef !important; }
  .soft { color: #b3b5b9 !important; }
  .line { border-color: #3a3d42 !important; }
  .button { background: #f1f1ef !important; color: #17181a !important; }
}
`
const INK = '#1c1d20'
const SOFT = '#5c5f66'
const LINE = '#dcdcd8'
const FONT = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;"

function htmlOf(mail: ComposedMail): string {
  const { locale, subject, greeting, paragraphs, amount, facts, code, action, closing, footer } =
    mail
  const direction = directionOf(locale)
  const start = direction === 'rtl' ? 'right' : 'left'
  const paragraph = (text: string) =>
    `<p class="ink" style="margin: 0 0 16px; color: ${INK}; font-size: 16px; line-height: 1.5;">${escapeHtml(text)}</p>`
  const footnote = (inner: string) =>
    `<p class="soft" style="margin: 0 0 16px; color: ${SOFT}; font-size: 14px; line-height: 1.5;">${inner}</p>`

  const blocks = [
    `<h1 class="ink" style="margin: 0 0 20px; color: ${INK}; font-size: 22px; line-height: 1.3;">${escapeHtml(subject)}</h1>`,
    ...[greeting, ...paragraphs].map(paragraph),
    amount &&
      `<p class="soft" style="margin: 8px 0 0; color: ${SOFT}; font-size: 14px; line-height: 1.5;">${escapeHtml(amount[0])}</p>
<p class="ink" style="margin: 0 0 20px; color: ${INK}; font-size: 34px; font-weight: 600; line-height: 1.25; overflow-wrap: anywhere;"><bdi>${escapeHtml(amount[1])}</bdi></p>`,
    code &&
      `<p class="ink" dir="ltr" style="margin: 0 0 16px; color: ${INK}; font-size: 24px; font-weight: 600; text-align: ${start}; overflow-wrap: anywhere;">${escapeHtml(code)}</p>`,
    facts.length > 0 && factTable(facts, start),
    action &&
      `<p style="margin: 8px 0 24px;"><a class="button" href="${escapeHtml(action.url)}" style="display: inline-block; padding: 14px 24px; border-radius: 10px; background: ${INK}; color: #ffffff; font-size: 16px; font-weight: 600; text-decoration: none;">${escapeHtml(action.label)}</a></p>`,
    closing && footnote(escapeHtml(closing)),
    action &&
      footnote(
        `${escapeHtml(action.help)}<br><span dir="ltr" style="overflow-wrap: anywhere; word-break: break-all;">${escapeHtml(action.url)}</span>`,
      ),
  ]
  return `<!doctype html>
<html lang="${locale}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body class="paper" style="margin: 0; padding: 0; background: #f4f4f1; ${FONT}">
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" style="background: #f4f4f1; ${FONT}">
<tr><td align="center" style="padding: 24px 12px;">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width: 560px; background: #ffffff; border: 1px solid ${LINE}; border-radius: 14px; text-align: ${start};">
<tr><td dir="${direction}" style="padding: 28px 24px 12px;">
${blocks.filter(Boolean).join('\n')}
</td></tr>
</table>
<p class="soft" dir="${direction}" style="margin: 16px 0 0; color: ${SOFT}; font-size: 13px; line-height: 1.5;">${escapeHtml(footer)}</p>
</td></tr>
</table>
</body>
</html>
`
}

/** `bdi` keeps text of the other direction, such as an amount in an Arabic email, in one piece. */
function factTable(facts: ComposedMail['facts'], start: string): string {
  const end = start === 'right' ? 'left' : 'right'
  const cell = `padding: 8px 0; border-top: 1px solid ${LINE}; font-size: 15px; line-height: 1.4; vertical-align: top;`
  const rows = facts.map(
    ([label, value]) =>
      `<tr><th scope="row" class="soft line" style="${cell} padding-inline-end: 16px; color: ${SOFT}; font-weight: 400; text-align: ${start};">${escapeHtml(label)}</th>` +
      `<td class="ink line" style="${cell} color: ${INK}; overflow-wrap: anywhere; text-align: ${end};"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
  )
  return `<table width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 16px;">\n${rows.join('\n')}\n</table>`
}
