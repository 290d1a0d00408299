import { readFile } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { refuse } from '../api/kit/replies.ts'
import { basePathOf } from '../config.ts'
import type { Service } from '../service.ts'
import { entryOf, sendFile } from './assets.ts'
import { type Html, html } from './html.ts'

const ICONS = new URL('../../../web/icons/', import.meta.url)

/** The types of the icons by file name. The names have no hash, because an installed app keeps them. */
const ICON_TYPES: Record<string, string> = {
  'wallet.svg': 'image/svg+xml',
  'wallet-180.png': 'image/png',
  'wallet-192.png': 'image/png',
  'wallet-512.png': 'image/png',
  'wallet-maskable-512.png': 'image/png',
}

export const walletHead = (
  basePath: string,
): Html => html`<link rel="manifest" href="${basePath}/wallet.webmanifest">
<link rel="icon" type="image/svg+xml" href="${basePath}/wallet-icons/wallet.svg">
<link rel="apple-touch-icon" href="${basePath}/wallet-icons/wallet-180.png">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#faf9f7">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#0d0f14">
`

/** Serves the manifest, service worker and icons, so that the wallet can be installed and opens offline. */
export async function walletAppRoutes(app: FastifyInstance, { config }: Service): Promise<void> {
  const basePath = basePathOf(config)
  const icon = (file: string, sizes: string, purpose = 'any') => ({
    src: `${basePath}/wallet-icons/${file}`,
    sizes,
    type: ICON_TYPES[file],
    purpose,
  })
  const manifest = JSON.stringify({
    id: `${basePath}/wallet`,
    name: 'Florin Wallet',
    short_name: 'Florin',
    start_url: `${basePath}/wallet`,
    scope: `${basePath}/wallet`,
    display: 'standalone',
    background_color: '#faf9f7',
    theme_color: '#faf9f7',
    icons: [
      icon('wallet.svg', 'any'),
      icon('wallet-192.png', '192x192'),
      icon('wallet-512.png', '512x512'),
      icon('wallet-maskable-512.png', '512x512', 'maskable'),
    ],
  })

  app.get('/wallet.webmanifest', { schema: { hide: true } }, async (_request, reply) =>
    reply
      .header('content-type', 'application/manifest+json; charset=utf-8')
      .header('cache-control', 'public, max-age=3600')
      .send(manifest),
  )

  app.get('/wallet-worker.js', { schema: { hide: true } }, async (request, reply) => {
    const { script } = await entryOf('src/wallet/serviceWorker.ts')
    // The worker only needs to fetch. Browsers must revalidate it; otherwise an old version would stay.
    reply.header('content-security-policy', "default-src 'none'; connect-src 'self'")
    return sendFile(request, reply, script, 'no-cache')
  })

  type IconRoute = { readonly Params: { readonly file: string } }
  app.get<IconRoute>('/wallet-icons/:file', { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params
    const type = Object.hasOwn(ICON_TYPES, file) ? ICON_TYPES[file] : undefined
    if (type === undefined) return refuse(reply, 'path_unknown')
    return reply
      .header('content-type', type)
      .header('cache-control', 'public, max-age=86400')
      .send(await readFile(new URL(file, ICONS)))
  })
}
