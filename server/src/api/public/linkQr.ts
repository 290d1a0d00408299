import { ErrorBody, media } from '@florin/contract/common.js'
import { described } from '@florin/contract/fields.js'
import { LinkIdParams } from '@florin/contract/links.js'
import { MODES, parseLinkId } from '../../core/ids.ts'
import { linkUrl } from '../../core/link.ts'
import { urlQrSvg } from '../../platform/qrImages.ts'
import { findLinks } from '../../sql/links.ts'
import { refuse } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

const SIZE_PX = 290

/** Errors that every public image can have. */
export const IMAGE_ERRORS = {
  500: described(ErrorBody, 'Internal error. The x-request-id header identifies it.'),
  503: described(ErrorBody, 'The database is unavailable; see Retry-After'),
}

/** The QR code image for other websites, which have no API key. */
export function linkQrRoute(route: DeclareRoute<null>): void {
  route('GET /link/:linkId/qr.svg', {
    operationId: 'getPublicLinkQrImage',
    summary: 'Get the QR code image of a link for a website',
    description: 'Needs no API key, so that other websites can show the image.',
    params: LinkIdParams,
    response: media('The image', 'image/svg+xml'),
    onlyErrors: {
      404: described(ErrorBody, 'There is no such link, or its store is suspended'),
      ...IMAGE_ERRORS,
    },
    handler: async ({ service, params, reply }) => {
      const key = parseLinkId(params.linkId)
      const keys = key === null ? [] : MODES.map((mode) => ({ ...key, mode }))
      const [link] = await findLinks(service.database, keys)
      const store = link && (await service.stores.get(link.storeId))
      if (link === undefined || !store || store.suspended) return refuse(reply, 'link_unknown')
      const url = linkUrl(link.linkId, service.config.publicUrl)
      return reply
        .header('content-type', 'image/svg+xml')
        .header('cache-control', 'public, max-age=3600')
        .header('cross-origin-resource-policy', 'cross-origin')
        .send(urlQrSvg(url, SIZE_PX, link.title))
    },
  })
}
