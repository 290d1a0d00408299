import type { Locale } from '@florin/shared/locales.js'
import type { Translate } from '@florin/shared/translate.js'
import { START_WORDS, type StartWords } from '@florin/shared/words/start/all.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { headerOf } from '../api/kit/http/headers.ts'
import { refuse } from '../api/kit/replies.ts'
import { basePathOf } from '../config.ts'
import { VERSION } from '../platform/version.ts'
import type { DemoSignIn, Service } from '../service.ts'
import { entryOf } from './assets.ts'
import { type Html, html } from './html.ts'
import { pageHtml, pageLocaleOf, pagePolicy, sendPage } from './page.ts'
import { brand, icon, languages } from './parts.ts'

const ENTRY = 'src/start/main.ts'
/** The apps, and their icons. */
const APPS = [
  ['wallet', 'wallet'],
  ['till', 'keypad'],
  ['dashboard', 'overview'],
  ['operator', 'settings'],
  ['docs', 'code'],
] as const

export async function startRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const basePath = basePathOf(service.config)

  app.get('/', { schema: { hide: true } }, async (request, reply) => {
    const locale = pageLocaleOf(request)
    const translate = START_WORDS[locale]
    const body = frame(startPage(translate, basePath, service.demoSignIns()), locale, translate)
    reply.header('content-security-policy', pagePolicy())
    reply.header('vary', 'accept-language')
    const entry = await entryOf(ENTRY)
    return sendPage(
      reply,
      pageHtml({ locale, basePath, entry, title: translate('title'), head: html``, body }),
    )
  })
}

/** Responds to an unknown path with a page for a browser, and with JSON for everything else. */
export function unknownPathHandler({ config }: Service) {
  const basePath = basePathOf(config)
  return async (request: FastifyRequest, reply: FastifyReply) => {
    if (!isBrowser(request)) return refuse(reply, 'path_unknown')
    const locale = pageLocaleOf(request)
    const translate = START_WORDS[locale]
    const title = translate('notFoundTitle')
    const main = html`<section class="card outcome">
<div class="outcome-icon">${icon('search')}</div>
<h1>${title}</h1>
<p class="soft">${translate('notFoundNote')}</p>
<a class="button" href="${basePath}/">${translate('toStart')}</a>
</section>`
    const entry = await entryOf(ENTRY)
    reply.code(404).header('content-security-policy', pagePolicy())
    reply.header('vary', 'accept, accept-language')
    const body = frame(main, locale, translate)
    return sendPage(reply, pageHtml({ locale, basePath, entry, title, head: html``, body }))
  }
}

/** A request with credentials in a header comes from a program, which needs JSON even if it accepts HTML by default. */
const isBrowser = (request: FastifyRequest) =>
  (request.method === 'GET' || request.method === 'HEAD') &&
  (headerOf(request, 'accept') ?? '').includes('text/html') &&
  headerOf(request, 'api-key') === undefined &&
  !/^Bearer /i.test(headerOf(request, 'authorization') ?? '')

function startPage(
  translate: Translate<StartWords>,
  basePath: string,
  demo: readonly DemoSignIn[],
): Html {
  const links = APPS.map(
    ([app, iconName]) =>
      html`<li><a class="card app" href="${basePath}/${app}"><span class="app-icon">${icon(iconName)}</span><strong>${translate(app)}</strong><span class="small soft">${translate(`${app}Note`)}</span></a></li>`,
  )
  return html`<h1>${translate('title')}</h1>
<p class="intro">${translate('intro')}</p>
<nav aria-label="${translate('apps')}"><ul class="apps">${links}</ul></nav>
${demo.length === 0 ? null : demoTable(translate, demo)}
<p class="small soft">${translate('version', { version: VERSION })}</p>`
}

function demoTable(translate: Translate<StartWords>, demo: readonly DemoSignIn[]): Html {
  const rows = demo.map(
    ({ app, user, secret }) =>
      html`<div><dt>${translate(app)}</dt><dd><bdi>${user}</bdi> <code>${secret}</code></dd></div>`,
  )
  return html`<section class="demo card">
<h2>${translate('demoTitle')}</h2>
<p class="small soft">${translate('demoNote')}</p>
<dl class="facts">${rows}</dl>
</section>`
}

const frame = (main: Html, locale: Locale, translate: Translate<StartWords>): Html =>
  html`<header class="start-head">${brand()}</header>
<main class="start">${main}</main>
<footer class="start-foot">${languages(locale, translate('language'))}</footer>`
