import { answer, errors } from '@florin/contract/common.js'
import { StoreParams, WalletParams } from '@florin/contract/operator.js'
import {
  ClientExport,
  ErasedClient,
  ErasedPayer,
  ExportPayerBody,
  OperatorClientBody,
  PayerExport,
} from '@florin/contract/privacy.js'
import type { FastifyInstance } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import type { Mode } from '../../core/ids.ts'
import { walletAccount } from '../../core/ledger.ts'
import { erasePayer } from '../../ops/erasePayer.ts'
import { exportPayer, type PayerPage } from '../../ops/exportPayer.ts'
import type { Service } from '../../service.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { activityView, formatActivityPosition, parseActivityPosition } from '../kit/activity.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { sendClientErased, sendClientExport, sentEventsView } from '../kit/clients.ts'
import { refuse, refuseInvalid, succeed } from '../kit/errorReply.ts'
import { pageQuery } from '../kit/paging.ts'
import { schemaProblems } from '../kit/validation.ts'
import { walletView } from '../kit/views.ts'
import { auditEntryView } from './auditLog.ts'
import { operatorCall } from './call.ts'
import { storeOf } from './stores.ts'
import { walletOf } from './wallets.ts'

/** Without what is the merchants' own: the address of a webhook may hold a secret, and an answer anything. */
const toldPayer = ({ events, attempts }: Pick<PayerPage, 'events' | 'attempts'>) =>
  sentEventsView(events, attempts, ({ data }) => data.user).map(({ url, ...told }) => ({
    ...told,
    host: url && new URL(url).host,
    attempts: told.attempts.map(({ body, ...attempt }) => attempt),
  }))

/** What is held about one payer, or one client of a store: handing it out, and forgetting it. */
export async function operatorPrivacyRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { database } = service

  app.post(
    '/operator/wallets/:walletId/export',
    {
      attachValidation: true,
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'exportPayer',
        summary: 'All that is held about a payer, page by page',
        params: WalletParams,
        body: ExportPayerBody,
        response: { 200: answer(PayerExport), ...errors(400, 413, 415) },
      },
      preValidation: async (request) => {
        request.body ??= {}
      },
    },
    async (request, reply) => {
      const wallet = await walletOf(service, request)
      if (wallet === null) return refuse(reply, 'wallet_unknown')
      const problems = schemaProblems(request)
      const { cursor } = (request.body ?? {}) as { cursor?: string | null }
      const asked = pageQuery({ cursor }, problems)
      const before = problems.length > 0 ? null : asked.cursor(parseActivityPosition)
      if (problems.length > 0) return refuseInvalid(reply, problems)

      const held = await exportPayer(database, request.actor!, { wallet, before })
      const own = walletAccount(wallet.walletId)
      const balances = await findWalletBalances(database, [wallet.walletId])
      return succeed(reply, 'Payer', {
        wallet: walletView(wallet, balances),
        created_at: wireTime(wallet.createdAt),
        sessions: held.sessions.map(({ createdAt, expiresAt }) => ({
          created_at: wireTime(createdAt),
          expires_at: wireTime(expiresAt),
        })),
        log: held.log.map(auditEntryView),
        log_complete: held.isLogWhole,
        activity: held.activity.map((one) => activityView(one, own)),
        webhooks: toldPayer(held),
        next_cursor: held.isLast ? null : formatActivityPosition(held.activity.at(-1)!),
      })
    },
  )

  app.post(
    '/operator/wallets/:walletId/erase',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'erasePayer',
        summary:
          'Forget who a payer was, everywhere but in the ledger, and close the wallet for good',
        params: WalletParams,
        response: { 200: answer(ErasedPayer), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const wallet = await walletOf(service, request)
      if (wallet === null) return refuse(reply, 'wallet_unknown')
      const result = await erasePayer(database, request.actor!, wallet)
      if (result.kind === 'not_empty') return refuse(reply, 'wallet_not_empty')
      if (result.kind === 'plays_payer') return refuse(reply, 'wallet_of_sandbox')
      service.sessions.forgetAll()
      const balances = await findWalletBalances(database, [wallet.walletId])
      const { payments } = result
      return succeed(reply, 'Payer erased', { ...walletView(result.wallet, balances), payments })
    },
  )

  for (const [path, operationId, summary, data, send] of [
    [
      ...(['export', 'exportClient', 'All that is held about a client of a store'] as const),
      ...([ClientExport, sendClientExport] as const),
    ],
    [
      ...(['erase', 'eraseClient', 'Forget a client of a store; its payments stay'] as const),
      ...([ErasedClient, sendClientErased] as const),
    ],
  ] as const) {
    app.post(
      `/operator/stores/:storeId/clients/${path}`,
      {
        attachValidation: true,
        schema: {
          ...docs,
          operationId,
          summary,
          params: StoreParams,
          body: OperatorClientBody,
          response: { 200: answer(data), ...errors(400, 413, 415) },
        },
      },
      async (request, reply) => {
        const store = await storeOf(service, request)
        if (store === null) return refuse(reply, 'store_unknown')
        const mode = (request.body as { mode?: Mode } | undefined)?.mode ?? 'live'
        return send(operatorCall(service, request, reply), { store, mode })
      },
    )
  }
}
