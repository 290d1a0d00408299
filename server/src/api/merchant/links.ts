import { media } from '@florin/contract/common.js'
import {
  ChangeLinkBody,
  CreateLinkBody,
  Link,
  LinkIdParams,
  LinkList,
  LinkListQuery,
} from '@florin/contract/links.js'
import { QrQuery } from '@florin/contract/payments.js'
import type { Merchant } from '../kit/authenticate.ts'
import {
  changeStoreLink,
  createStoreLink,
  getStoreLink,
  listStoreLinks,
  prepareLink,
  sendLinkQr,
} from '../kit/payment/links.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function linkRoutes(route: DeclareRoute<Merchant>): void {
  route('POST /merchant/links', {
    operationId: 'createLink',
    summary: 'Create a link',
    description:
      'Creates a link that any number of payers can pay, each with a payment of their own. Share `url`, or print its QR code. A link makes no payment by itself: a payer does, with a wallet.',
    scope: 'create',
    takesIdempotencyKey: true,
    body: CreateLinkBody,
    data: Link,
    hasOwnChecks: true,
    preValidation: prepareLink,
    handler: createStoreLink,
  })

  route('GET /merchant/links', {
    operationId: 'listLinks',
    summary: 'List links',
    description:
      'Lists links in the mode of the API key, newest first. Repeat with `cursor` until `next_cursor` is null.',
    scope: 'read',
    query: LinkListQuery,
    data: LinkList,
    handler: listStoreLinks,
  })

  route('GET /merchant/links/:linkId', {
    operationId: 'getLink',
    summary: 'Get a link',
    description: 'Returns a link, how many times it was paid, and the total.',
    scope: 'read',
    params: LinkIdParams,
    data: Link,
    handler: getStoreLink,
  })

  route('PATCH /merchant/links/:linkId', {
    operationId: 'changeLink',
    summary: 'Change a link',
    description:
      'Changes the given fields, or pauses the link with `active`. Null removes a value. The amount, the currency and the products stay as they are: create a new link instead.',
    scope: 'create',
    params: LinkIdParams,
    body: ChangeLinkBody,
    data: Link,
    errors: [409],
    hasOwnChecks: true,
    handler: changeStoreLink,
  })

  route('GET /merchant/links/:linkId/qr', {
    operationId: 'getLinkQrImage',
    summary: 'Get the QR code image of a link',
    description: 'Returns the QR code of the page of the link, with its quiet zone.',
    scope: 'read',
    params: LinkIdParams,
    query: QrQuery,
    response: media('The image', 'image/svg+xml', 'image/png'),
    handler: sendLinkQr,
  })
}
