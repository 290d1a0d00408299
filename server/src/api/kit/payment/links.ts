import type {
  ChangeLinkBody,
  CreateLinkBody,
  LinkList,
  LinkListQuery,
  Link as LinkResponse,
} from '@florin/contract/links.js'
import { CreateLinkBody as LINK_SCHEMA } from '@florin/contract/links.js'
import type { QrQuery } from '@florin/contract/payments.js'
import type { FastifyReply, preValidationHookHandler } from 'fastify'
import { parseLinkId } from '../../../core/ids.ts'
import { stringifyExactly } from '../../../core/json.ts'
import { type Link, type LinkKey, linkUrl } from '../../../core/link.ts'
import { linkView } from '../../../core/linkView.ts'
import { validateLink, validateLinkChange } from '../../../core/newLink.ts'
import { foreignCurrency } from '../../../core/newPayment.ts'
import type { Actor } from '../../../ops/auditLog.ts'
import { findReplay } from '../../../ops/idempotency.ts'
import { type CreateLinkResult, changeLink, createLink } from '../../../ops/links.ts'
import { urlQrPng, urlQrSvg } from '../../../platform/qrImages.ts'
import type { Service } from '../../../service.ts'
import { findLink, listLinks } from '../../../sql/links.ts'
import type { Merchant } from '../authenticate.ts'
import { inFieldOrder, schemaProblems } from '../http/validation.ts'
import { idempotencyKeyOf, keyProblem, sendReplayed } from '../idempotency.ts'
import { pageOf, pageQuery } from '../paging.ts'
import { refuse, refuseInvalid, sendJson, succeed } from '../replies.ts'
import type { Call } from '../route.ts'
import { dropExcessProducts } from './createPayment.ts'

// Links of a store: the handlers that API keys and people share.

type LinkCallTypes<Data> = { readonly params: { readonly linkId: string }; readonly data: Data }

/** The key of the link that the path names, or null if the id is invalid or belongs to another store. */
function ownLinkKey({
  params,
  caller,
}: Pick<Call<Merchant, LinkCallTypes<unknown>>, 'params' | 'caller'>) {
  const parsed = parseLinkId(params.linkId)
  if (parsed === null || parsed.storeId !== caller.store.storeId) return null
  const key: LinkKey = { storeId: parsed.storeId, mode: caller.mode, linkId: parsed.linkId }
  return key
}

const viewOf =
  (service: Service, { store, canSeeWebhooks }: Merchant) =>
  (link: Link) => {
    const context = { publicUrl: service.config.publicUrl, at: service.clock.now() }
    const view = linkView(link, store, context)
    return canSeeWebhooks ? view : { ...view, webhook_url: null }
  }

/** The audit log names a person, or the API key. */
const actorOf = ({ caller, request }: Pick<Call<Merchant>, 'caller' | 'request'>): Actor =>
  caller.actor ?? { name: `API key ${caller.apiKey}`, requestId: request.id }

/** Refuses a request without a JSON body, sets the store's currency as the default and shortens a long list of products. */
export const prepareLink: preValidationHookHandler = (request, reply, done) => {
  const { body } = request
  if (body === undefined) return void refuse(reply, 'unsupported_media_type')
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    const fields: { currency?: unknown } = body
    fields.currency ??= request.merchant!.store.currency
    dropExcessProducts(body)
  }
  done()
}

type CreateCall = Call<Merchant, { body: CreateLinkBody; data: LinkResponse }>

export async function createStoreLink(call: CreateCall): Promise<FastifyReply> {
  const { service, caller, body, request, reply } = call
  const { store, mode } = caller
  const shapeProblems = schemaProblems(request)
  if (shapeProblems.some((problem) => problem.field === 'body'))
    return refuseInvalid(reply, shapeProblems)
  const keyHeaderProblem = keyProblem(request)
  const currency = foreignCurrency(body, store)
  const rate = currency && (await service.rates.get(`${currency}/${store.currency}`))
  const validated = validateLink(
    body,
    { ...termsOf(call), rate: rate?.rate ?? null },
    new Set(shapeProblems.map((problem) => problem.field)),
  )
  const problems = inFieldOrder(
    FIELDS,
    shapeProblems,
    validated.problems,
    keyHeaderProblem ? [keyHeaderProblem] : [],
  )
  const response = (link: Link) => ({
    status: 200,
    message: 'Link created',
    data: viewOf(service, caller)(link),
  })
  const idempotencyKey = idempotencyKeyOf<Link>(request, (link) => stringifyExactly(response(link)))
  if (validated.link === null || problems.length > 0) {
    // The first response is replayed even if a limit or a rate has changed since.
    const hasKey = idempotencyKey !== null && keyHeaderProblem === null
    const replay = hasKey
      ? await findReplay(service.database, { storeId: store.storeId, mode }, idempotencyKey)
      : null
    return replay === null ? refuseInvalid(reply, problems) : sendCreated(reply, replay, response)
  }
  const { link } = validated
  const createRequest = { store, mode, link, idempotencyKey }
  return sendCreated(
    reply,
    await createLink(service.database, actorOf(call), createRequest),
    response,
  )
}

const FIELDS = [
  ...Object.keys(LINK_SCHEMA.properties),
  'products.name',
  'products.quantity',
  'products.price',
]

const termsOf = ({ service, caller }: Pick<Call<Merchant>, 'service' | 'caller'>) => {
  const { allowPrivateWebhooks: allowPrivate, webhookPorts: allowedPorts } = service.config
  return {
    store: caller.store,
    webhookRules: { allowPrivate, allowedPorts },
    now: service.clock.now(),
  }
}

function sendCreated(
  reply: FastifyReply,
  result: CreateLinkResult,
  response: (link: Link) => unknown,
) {
  switch (result.kind) {
    case 'created':
      return sendJson(reply, 200, response(result.link))
    case 'replayed':
      return sendReplayed(reply, result.response)
    case 'key_reused':
    case 'too_many_links':
      return refuse(reply, result.kind)
  }
}

export async function listStoreLinks({
  service,
  caller,
  query,
  reply,
}: Call<Merchant, { query: LinkListQuery; data: LinkList }>): Promise<FastifyReply> {
  const { store, mode } = caller
  const { limit, cursor, problems } = pageQuery(query)
  const before = cursor(parseLinkId)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { storeId } = store
  const page = {
    storeId,
    mode,
    active: query.active === undefined ? null : query.active === 'true',
    before: before?.linkId ?? null,
    limit: limit + 1,
  }
  const rows = await service.readOfStore(storeId, () => listLinks(service.database, page))
  const { items, nextCursor } = pageOf(rows, limit, (last) => last.linkId)
  const links = items.map(viewOf(service, caller))
  return succeed(reply, 'Links', { links, next_cursor: nextCursor })
}

export async function getStoreLink(call: Call<Merchant, LinkCallTypes<LinkResponse>>) {
  const { service, caller, reply } = call
  const key = ownLinkKey(call)
  const link = key && (await findLink(service.database, key))
  if (link === null) return refuse(reply, 'link_unknown')
  return succeed(reply, 'Link', viewOf(service, caller)(link))
}

type ChangeCall = Call<Merchant, LinkCallTypes<LinkResponse> & { readonly body: ChangeLinkBody }>

/** Routes need `hasOwnChecks`, as for `createPayment`. */
export async function changeStoreLink(call: ChangeCall): Promise<FastifyReply> {
  const { service, caller, body, request, reply } = call
  const shapeProblems = schemaProblems(request)
  if (shapeProblems.some((problem) => problem.field === 'body'))
    return refuseInvalid(reply, shapeProblems)
  const { changes, problems } = validateLinkChange(
    body,
    termsOf(call),
    new Set(shapeProblems.map((problem) => problem.field)),
  )
  const all = inFieldOrder(FIELDS, shapeProblems, problems)
  if (all.length > 0) return refuseInvalid(reply, all)
  const key = ownLinkKey(call)
  if (key === null) return refuse(reply, 'link_unknown')
  const { store } = caller
  const link = await changeLink(service.database, actorOf(call), { store, key, changes })
  if (link === null) return refuse(reply, 'link_unknown')
  if (link === 'too_many_links') return refuse(reply, link)
  return succeed(reply, 'Link changed', viewOf(service, caller)(link))
}

/** The QR code of the URL of the link, which any camera can open. */
export async function sendLinkQr(
  call: Call<Merchant, LinkCallTypes<unknown> & { readonly query: QrQuery }>,
): Promise<FastifyReply> {
  const { service, query, reply } = call
  const { format = 'svg', size: sizePx = 290 } = query
  const key = ownLinkKey(call)
  const link = key && (await findLink(service.database, key))
  if (link === null) return refuse(reply, 'link_unknown')
  const url = linkUrl(link.linkId, service.config.publicUrl)
  return format === 'png'
    ? reply.header('content-type', 'image/png').send(await urlQrPng(url, sizePx))
    : reply.header('content-type', 'image/svg+xml').send(urlQrSvg(url, sizePx, link.title))
}
