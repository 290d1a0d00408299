import { LinkIdParams } from '@florin/contract/links.js'
import { Receipt } from '@florin/contract/wallet.js'
import { LinkPreview, PayLinkBody } from '@florin/contract/walletLinks.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { parseLinkId } from '../../core/ids.ts'
import { linkStateOf } from '../../core/link.ts'
import { linkProducts } from '../../core/linkView.ts'
import { formatMinor, formatRate } from '../../core/money.ts'
import type { Payment } from '../../core/payment.ts'
import { storeProfile } from '../../core/paymentView.ts'
import type { Store } from '../../core/store.ts'
import type { PayLinkResult } from '../../ops/payLinks.ts'
import { type LinkPreview as Preview, previewLink } from '../../ops/previewLink.ts'
import { findLink } from '../../sql/links.ts'
import { payWithPin } from '../kit/account/pins.ts'
import type { WalletSession } from '../kit/authenticate.ts'
import { sendReplayed } from '../kit/idempotency.ts'
import { refuse, refuseField, refuseInvalid, refusePay, sendJson, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { paidResponse, payKeyOf, payProblems } from './paying.ts'

export function linkRoutes(route: DeclareRoute<WalletSession>): void {
  route('GET /wallet/link/:linkId', {
    operationId: 'previewLink',
    summary: 'Preview a link',
    description: 'Returns a link, and whether this wallet can pay it. Creates no payment.',
    params: LinkIdParams,
    data: LinkPreview,
    errors: [409],
    handler: getPreview,
  })

  route('POST /wallet/link/:linkId/pay', {
    operationId: 'payLink',
    summary: 'Pay a link',
    description:
      'Creates a payment and pays it in one step. If it is refused, there is no payment. Without an Idempotency-Key, each call pays again.',
    takesIdempotencyKey: true,
    params: LinkIdParams,
    body: PayLinkBody,
    hasOptionalBody: true,
    data: Receipt,
    errors: [402, 410, 428],
    // An invalid id or an unknown store takes precedence over an invalid body.
    hasOwnChecks: true,
    handler: pay,
  })
}

type LinkCall<Data = unknown> = Call<WalletSession, { params: LinkIdParams; data: Data }>

/** The store and key of a link in the mode of the wallet. Null if the id is invalid or there is no such store. */
async function readKey({ service, caller, params }: LinkCall) {
  const parsed = parseLinkId(params.linkId)
  const store = parsed && (await service.stores.get(parsed.storeId))
  if (parsed === null || store === null) return null
  const { storeId, linkId } = parsed
  return { key: { storeId, mode: caller.mode, linkId }, store }
}

async function getPreview(call: LinkCall<LinkPreview>): Promise<FastifyReply> {
  const { service, caller, reply } = call
  const found = await readKey(call)
  if (found === null) return refuse(reply, 'link_unknown')
  const { database, outbox, config } = service
  const { walletId } = caller
  const pinLimits = await service.pinLimits.get('all')
  const preview = await previewLink(database, outbox, { walletId, pinLimits, ...found })
  if (preview === null) {
    const mode = caller.mode === 'live' ? 'sandbox' : 'live'
    const other = await findLink(database, { ...found.key, mode })
    return refuse(reply, other === null ? 'link_unknown' : `link_${mode}`)
  }
  return succeed(reply, 'Link preview', previewView(preview, found.store, config.publicUrl))
}

function previewView(preview: Preview, store: Store, publicUrl: string) {
  const { link, quote, rate, balance, pinLimit, at, reason } = preview
  const { currency } = store
  const money = (minor: bigint | null) => (minor === null ? null : formatMinor(minor, currency))
  return {
    link_id: link.linkId,
    state: linkStateOf(link, at),
    title: link.title,
    description: link.description,
    amount: quote && formatMinor(quote.gross, currency),
    currency,
    request_amount: {
      amount: link.amount === null ? null : formatMinor(link.amount, link.currency),
      currency: link.currency,
      conversion_rate: rate === null ? null : formatRate(rate),
    },
    min_amount: money(store.minAmountMinor),
    max_amount: money(store.maxAmountMinor),
    store_id: link.storeId,
    store: storeProfile(store, publicUrl),
    reference_note: link.referenceNote,
    products: linkProducts(link),
    payments_left:
      link.maxPayments === null ? null : Math.max(0, link.maxPayments - link.paidCount),
    expires_at: link.expiresAt && wireTime(link.expiresAt),
    balance: formatMinor(balance, currency),
    pin_limit: money(pinLimit),
    can_pay: reason === null,
    reason,
  }
}

type PayCall = Call<WalletSession, { params: LinkIdParams; body: PayLinkBody; data: Receipt }>

async function pay(call: PayCall): Promise<FastifyReply> {
  const { service, caller, body, request, reply } = call
  const found = await readKey(call)
  if (found === null) return refuse(reply, 'link_unknown')
  const problems = payProblems(request)
  if (problems.length > 0) return refuseInvalid(reply, problems)

  const { key, store } = found
  const response = (payment: Payment) => paidResponse(payment, store, service.config.publicUrl)
  const serialize = (payment: Payment) => JSON.stringify(response(payment))
  const attempt = {
    walletId: caller.walletId,
    mode: key.mode,
    store,
    linkId: key.linkId,
    amount: body.amount ?? undefined,
    donation: body.donation_amount ?? undefined,
    seenRate: body.conversion_rate ?? undefined,
    idempotencyKey: payKeyOf(request, body, serialize),
    pinLimits: await service.pinLimits.get('all'),
  }
  const result = await payWithPin(call, body.pin, (isPinVerified) =>
    service.payLink({ ...attempt, isPinVerified }),
  )
  if (result === null) return reply
  return sendResult(reply, result, response)
}

function sendResult(
  reply: FastifyReply,
  result: PayLinkResult,
  response: (payment: Payment) => unknown,
) {
  switch (result.kind) {
    case 'paid':
      return sendJson(reply, 200, response(result.payment))
    case 'replayed':
      return sendReplayed(reply, result.response)
    case 'key_reused':
      return refuse(reply, 'key_reused')
    case 'invalid':
      return refuseInvalid(reply, [result.problem])
    case 'limit_reached': {
      // Leave out the amounts: only the store may see its daily and monthly limits.
      const period = result.breach.period === 'day' ? 'today' : 'this month'
      return refuseField(reply, 'amount', `is more than this store can still receive ${period}`)
    }
    case 'refused':
      return refusePay(reply, result.reason)
  }
}
