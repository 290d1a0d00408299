import { localeOf } from '@florin/shared/locales.js'
import type { FastifyInstance } from 'fastify'
import { localeOfRequest } from '../api/kit/http/headers.ts'
import { basePathOf } from '../config.ts'
import { MODES, parseLinkId } from '../core/ids.ts'
import type { Service } from '../service.ts'
import { findLinks } from '../sql/links.ts'
import { entryOf } from './assets.ts'
import { renderLink, renderUnknownLink } from './linkView.ts'
import { pageHtml, pagePolicy, sendPage } from './page.ts'

const ENTRY = 'src/checkout/link.ts'
type LinkRoute = {
  readonly Params: { readonly linkId: string }
  readonly Querystring: { readonly lang?: unknown }
}

/** The page of a link. It only shows the link: the wallet pays it, so opening the page writes nothing. */
export async function linkPageRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { publicUrl } = service.config
  const basePath = basePathOf(service.config)

  app.get<LinkRoute>('/link/:linkId', { schema: { hide: true } }, async (request, reply) => {
    const found = await findLinkAndStore(service, request.params.linkId)
    const locale =
      localeOf(String(request.query.lang)) ?? found?.link.locale ?? localeOfRequest(request)
    const rendered =
      found === null
        ? renderUnknownLink(locale)
        : renderLink({ ...found, locale, basePath, publicUrl, now: service.clock.now() })
    reply.code(found === null ? 404 : 200)
    reply.header('content-security-policy', pagePolicy()).header('vary', 'accept-language')
    return sendPage(reply, pageHtml({ locale, basePath, entry: await entryOf(ENTRY), ...rendered }))
  })
}

/** Null if there is no such link, or if its store is suspended. An id exists in one mode only. */
async function findLinkAndStore(service: Service, linkId: string) {
  const parsed = parseLinkId(linkId)
  if (parsed === null) return null
  const [[link], store] = await Promise.all([
    findLinks(
      service.database,
      MODES.map((mode) => ({ ...parsed, mode })),
    ),
    service.stores.get(parsed.storeId),
  ])
  return link === undefined || store === null || store.suspended ? null : { link, store }
}
