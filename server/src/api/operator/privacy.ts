import { StoreParams, WalletParams } from '@florin/contract/operator.js'
import {
  ClientExport,
  ErasedClient,
  ErasedPayer,
  ExportPayerBody,
  OperatorClientBody,
  PayerExport,
} from '@florin/contract/privacy.js'
import { wireTime } from '../../core/calendar.ts'
import { parsePaymentId } from '../../core/ids.ts'
import { walletAccount } from '../../core/ledger.ts'
import { walletSubject } from '../../core/wallet.ts'
import { erasePayer } from '../../ops/erasure.ts'
import { type ExportPosition, exportPayer, type PayerPage } from '../../ops/exportPayer.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { activityView, formatActivityPosition, parseActivityPosition } from '../kit/activity.ts'
import { pageQuery } from '../kit/paging.ts'
import { eraseStoreClient, exportStoreClient, sentEventsView } from '../kit/payment/clients.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { auditEntryView, walletView } from '../kit/views.ts'
import type { StoreOperator, WalletOperator } from './subjects.ts'

export function payerPrivacyRoutes(route: DeclareRoute<WalletOperator>): void {
  route('POST /operator/wallets/:walletId/export', {
    operationId: 'exportPayer',
    summary: 'Export the data of a payer',
    permission: 'support',
    needsConfirmation: true,
    description:
      'Returns the data that is stored about a payer. Repeat with `cursor` until `next_cursor` is null.',
    params: WalletParams,
    body: ExportPayerBody,
    hasOptionalBody: true,
    data: PayerExport,
    handler: sendPayerExport,
  })

  route('POST /operator/wallets/:walletId/erase', {
    operationId: 'erasePayer',
    summary: 'Erase a payer',
    permission: 'support',
    description:
      'Erases the personal data of a payer and closes the wallet permanently. Amounts and transfers stay. The wallet must be empty.',
    needsConfirmation: true,
    params: WalletParams,
    hasOptionalBody: true,
    data: ErasedPayer,
    errors: [409],
    handler: async ({ service, caller, reply }) => {
      const { wallet, actor } = caller
      const result = await erasePayer(service.database, actor, wallet)
      if (result.kind === 'not_empty') return refuse(reply, 'wallet_not_empty')
      if (result.kind === 'wallet_of_sandbox') return refuse(reply, result.kind)
      service.walletSessions.forgetAll()
      const balances = await findWalletBalances(service.database, [wallet.walletId])
      const { payments } = result
      return succeed(reply, 'Payer erased', { ...walletView(result.wallet, balances), payments })
    },
  })
}

export function clientPrivacyRoutes(route: DeclareRoute<StoreOperator>): void {
  route('POST /operator/stores/:storeId/clients/export', {
    operationId: 'exportClient',
    summary: 'Export the data of a client',
    permission: 'support',
    needsConfirmation: true,
    description:
      'Returns the payments of a client of a store, and the webhooks about them. Repeat with `cursor` until `next_cursor` is null.',
    params: StoreParams,
    body: OperatorClientBody,
    data: ClientExport,
    handler: (call) => exportStoreClient(call, ownerOf(call)),
  })

  route('POST /operator/stores/:storeId/clients/erase', {
    operationId: 'eraseClient',
    summary: 'Erase a client',
    permission: 'support',
    description:
      'Erases the personal data of a client from the payments of a store. The payments stay. Repeat with `cursor` until `next_cursor` is null.',
    needsConfirmation: true,
    params: StoreParams,
    body: OperatorClientBody,
    data: ErasedClient,
    handler: (call) => eraseStoreClient(call, ownerOf(call)),
  })
}

const ownerOf = ({ caller, body }: Call<StoreOperator, { body: OperatorClientBody }>) => ({
  store: caller.store,
  mode: body.mode,
})

type ExportCall = Call<WalletOperator, { body: ExportPayerBody; data: PayerExport }>

async function sendPayerExport({ service, caller, body, reply }: ExportCall) {
  const { wallet, actor } = caller
  const { cursor, problems } = pageQuery({ cursor: body.cursor })
  const last = cursor(parsePosition)
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const page = await exportPayer(service.database, actor, { wallet, last })
  const account = walletAccount(wallet.walletId)
  const balances = await findWalletBalances(service.database, [wallet.walletId])
  return succeed(reply, 'Payer', {
    wallet: walletView(wallet, balances),
    created_at: wireTime(wallet.createdAt),
    sessions: page.sessions.map((session) => ({
      created_at: wireTime(session.createdAt),
      last_used_at: wireTime(session.lastUsedAt),
      expires_at: wireTime(session.expiresAt),
      user_agent: session.userAgent,
      address: session.address,
    })),
    security_events: page.securityEvents.map(({ at, kind, actor, address, device }) => {
      // Hide the address and device of an operator from the payer.
      const isOwn = actor === walletSubject(wallet)
      return {
        at: wireTime(at),
        kind,
        address: isOwn ? address : '',
        device: isOwn ? device : '',
      }
    }),
    signups: page.signups.map(({ name, email, phone, createdAt }) => ({
      name,
      email,
      phone,
      created_at: wireTime(createdAt),
    })),
    mails: page.mails.map(({ template, createdAt, sentAt }) => ({
      template,
      created_at: wireTime(createdAt),
      sent_at: sentAt && wireTime(sentAt),
    })),
    log: page.log.map(auditEntryView),
    log_complete: page.isLogComplete,
    favourite_stores: page.favourites,
    activity: page.activity.map((transfer) => activityView(transfer, account)),
    archived_payments: page.archived.map(({ paymentId }) => paymentId),
    webhooks: await payerEventsView(page),
    next_cursor: page.next && formatPosition(page.next),
  })
}

const formatPosition = (last: ExportPosition): string =>
  'paymentId' in last ? last.paymentId : formatActivityPosition(last)

const parsePosition = (cursor: string): ExportPosition | null =>
  parsePaymentId(cursor) ?? parseActivityPosition(cursor)

/** Leaves out data of the merchants: the URL of a webhook and the response to it can contain secrets. */
async function payerEventsView({ events, attempts }: Pick<PayerPage, 'events' | 'attempts'>) {
  const views = await sentEventsView(events, attempts, ({ data }) => data.user)
  return views.map(({ url, ...event }) => ({
    ...event,
    host: url && new URL(url).host,
    attempts: event.attempts.map(({ body, ...attempt }) => attempt),
  }))
}
