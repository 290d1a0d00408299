import { START_WORDS } from '@florin/shared/words/start/all.js'
import type { FastifyInstance } from 'fastify'
import { operatorCookie, personCookie, walletCookie } from '../api/kit/account/sessionCookie.ts'
import { basePathOf, type Config } from '../config.ts'
import type { Service } from '../service.ts'
import { entryOf } from './assets.ts'
import { type Html, html } from './html.ts'
import { pageHtml, pageLocaleOf, pagePolicy, sendPage } from './page.ts'
import { walletHead } from './walletApp.ts'

type App = {
  readonly path: string
  readonly entry: string
  readonly title: string
  /** The Permissions-Policy header. */
  readonly permissions: string
  readonly head?: (basePath: string) => Html
  /** The cookie of its sessions. */
  readonly cookie: typeof personCookie
}

const NO_DEVICES = 'camera=(), microphone=(), geolocation=()'

/**
 * Single-page apps. The server sends one document for each. Their inner pages are addressed after the `#`, so that
 * they never collide with a path of the API, such as `/wallet/me`.
 */
const APPS: readonly App[] = [
  {
    path: '/wallet',
    entry: 'src/wallet/main.tsx',
    title: 'Florin Wallet',
    permissions: 'camera=(self), microphone=(), geolocation=()',
    head: walletHead,
    cookie: walletCookie,
  },
  {
    path: '/till',
    entry: 'src/till/main.tsx',
    title: 'Florin Till',
    permissions: NO_DEVICES,
    cookie: personCookie,
  },
  {
    path: '/dashboard',
    entry: 'src/dashboard/main.tsx',
    title: 'Florin Dashboard',
    permissions: NO_DEVICES,
    cookie: personCookie,
  },
  {
    path: '/operator',
    entry: 'src/operator/main.tsx',
    title: 'Florin Operator',
    permissions: NO_DEVICES,
    cookie: operatorCookie,
  },
]

export async function appRoutes(app: FastifyInstance, { config }: Service): Promise<void> {
  const basePath = basePathOf(config)
  for (const { path, entry, title, permissions, head, cookie } of APPS) {
    app.get(path, { schema: { hide: true } }, async (request, reply) => {
      const locale = pageLocaleOf(request)
      reply.header('content-security-policy', pagePolicy())
      reply.header('permissions-policy', permissions)
      reply.header('vary', 'accept-language, cookie')
      const hasSession = cookie.tokenOf(request) !== null
      return sendPage(
        reply,
        pageHtml({
          locale,
          title,
          basePath,
          entry: await entryOf(entry),
          body: html`<noscript><p class="reload">${START_WORDS[locale]('needsScript')}</p></noscript>${appElement(config, hasSession, START_WORDS[locale]('notLoaded'))}`,
          head: head?.(basePath) ?? html``,
        }),
      )
    })
  }
}

/**
 * The root element. Its attributes tell the script which features the server has: sign-in without an account in a demo,
 * emails, and wallet sign-up. If the script does not start, such as in an old browser, `notLoaded` appears after some seconds.
 */
function appElement(
  { isDemo, mail, walletSignup, publicUrl }: Config,
  hasSession: boolean,
  notLoaded: string,
): Html {
  const demo = isDemo ? html` data-demo` : html``
  const signup = walletSignup === 'email' ? html` data-signup` : html``
  const withMail = mail === null ? html`` : html` data-mail`
  // Without a session, a page doesn't request it: the request would be refused, and the browser would log an error.
  const session = hasSession ? html` data-session` : html``
  // The wallet pays only links that begin with the public URL or with the URL at which it was opened.
  return html`<div id="app" data-public-url="${publicUrl}"${demo}${withMail}${signup}${session}><p class="reload not-loaded" role="alert">${notLoaded}</p></div>`
}
