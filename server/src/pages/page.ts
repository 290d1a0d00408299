import { directionOf, type Locale, localeOf } from '@florin/shared/locales.js'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { localeOfRequest } from '../api/kit/http/headers.ts'
import type { Entry } from './assets.ts'
import { type Html, html } from './html.ts'

/** The Content-Security-Policy of pages: no inline scripts or styles, nothing from other hosts. */
export function pagePolicy(frameAncestors = "'none'"): string {
  return (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; " +
    `frame-ancestors ${frameAncestors}; base-uri 'none'; form-action 'self'`
  )
}

type Page = {
  readonly locale: Locale
  readonly title: string
  readonly basePath: string
  readonly entry: Entry
  readonly body: Html
  readonly head: Html
}

/** The language that the query names, or that of the browser. */
export function pageLocaleOf(request: FastifyRequest): Locale {
  const { lang } = request.query as { lang?: unknown }
  return localeOf(String(lang)) ?? localeOfRequest(request)
}

/** A complete HTML document with the script and the styles of its entry. */
export function pageHtml({ locale, title, basePath, entry, body, head }: Page): Html {
  return html`<!doctype html>
<html lang="${locale}" dir="${directionOf(locale)}" data-base="${basePath}">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${entry.styles.map((style) => html`<link rel="stylesheet" href="${basePath}/${style}">\n`)}<script type="module" src="${basePath}/${entry.script}"></script>
${head}</head>
<body>
${body}
</body>
</html>
`
}

export function sendPage(reply: FastifyReply, page: Html): FastifyReply {
  return reply.header('content-type', 'text/html; charset=utf-8').send(page.markup)
}
