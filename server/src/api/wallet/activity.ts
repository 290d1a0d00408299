import { PaymentIdParams } from '@florin/contract/payments.js'
import {
  Activity,
  ActivityQuery,
  WalletPayment,
  WalletStatement,
  WalletStatementQuery,
} from '@florin/contract/walletActivity.js'
import { wireTime } from '../../core/calendar.ts'
import { parsePaymentId } from '../../core/ids.ts'
import { walletAccount } from '../../core/ledger.ts'
import { formatMinor } from '../../core/money.ts'
import type { Payment } from '../../core/payment.ts'
import {
  productView,
  refundSummary,
  requestAmountView,
  storeProfile,
} from '../../core/paymentView.ts'
import { returnLink } from '../../core/returnUrl.ts'
import type { Store } from '../../core/store.ts'
import { MAX_STATEMENT_DAYS, MAX_STATEMENT_ENTRIES } from '../../core/wallet.ts'
import { readWalletStatement } from '../../ops/walletActivity.ts'
import { findLink } from '../../sql/links.ts'
import { sendActivity, walletActivityView } from '../kit/activity.ts'
import type { WalletSession } from '../kit/authenticate.ts'
import { pageQuery } from '../kit/paging.ts'
import { refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'

const HOUR_MS = 3_600_000

export function activityRoutes(route: DeclareRoute<WalletSession>): void {
  route('GET /wallet/activity', {
    operationId: 'getActivity',
    summary: 'List activity',
    description: 'Lists payments, donations, refunds, top-ups and withdrawals, newest first.',
    query: ActivityQuery,
    data: Activity,
    handler: (call) =>
      call.service.readOfWallet(call.caller.walletId, () => sendActivity(call, call.caller)),
  })

  route('GET /wallet/payments/:paymentId', {
    operationId: 'getWalletPayment',
    summary: 'Get a payment of the wallet',
    description:
      'Returns the receipt of a payment that this wallet paid, with its products and its refund.',
    params: PaymentIdParams,
    data: WalletPayment,
    handler: async ({ service, caller, params, reply }) => {
      const parsed = parsePaymentId(params.paymentId)
      const payment = parsed && (await service.readPaymentById(parsed))
      if (payment?.walletId !== caller.walletId) return refuse(reply, 'payment_unknown')
      const store = (await service.stores.get(payment.storeId))!
      const { storeId, mode, linkId } = payment
      const link = linkId && (await findLink(service.database, { storeId, mode, linkId }))
      const view = walletPaymentView(payment, store, service.config.publicUrl)
      return succeed(reply, 'Payment', { ...view, link_title: link?.title ?? null })
    },
  })

  route('GET /wallet/statement', {
    operationId: 'getWalletStatement',
    summary: 'Get a statement',
    description:
      'Returns the balances and all transfers of a period, newest first. A statement has at most 2,000 transfers and 366 days.',
    query: WalletStatementQuery,
    data: WalletStatement,
    handler: getStatement,
  })
}

type StatementCall = Call<WalletSession, { query: WalletStatementQuery; data: WalletStatement }>

async function getStatement({ service, caller, query, reply }: StatementCall) {
  const { time, problems } = pageQuery(query)
  const [from, to] = [time('from'), time('to')]
  if (from === null || to === null) return refuseInvalid(reply, problems)
  const refuseEnd = (message: string) => refuseField(reply, 'to', message)
  if (to <= from) return refuseEnd('must be after from')
  // A local year can be an hour longer, because of a clock change.
  if (to.getTime() - from.getTime() > (MAX_STATEMENT_DAYS * 24 + 1) * HOUR_MS) {
    return refuseEnd(`must be at most ${MAX_STATEMENT_DAYS} days after from`)
  }
  const statement = await readWalletStatement(service.database, caller, { from, to })
  if (statement.kind === 'archived') {
    const earliest = `${wireTime(statement.cutoff)} UTC`
    return refuseField(reply, 'from', `must be ${earliest} or later: earlier payments are archived`)
  }
  if (statement.kind === 'too_long') {
    const limit = `a statement has at most ${MAX_STATEMENT_ENTRIES} transfers`
    return refuseEnd(`must be earlier: ${limit}`)
  }
  const account = walletAccount(caller.walletId)
  const { publicUrl } = service.config
  return succeed(reply, 'Statement', {
    from: wireTime(from),
    to: wireTime(to),
    balances: statement.sums.map(({ currency, opening, moneyIn, moneyOut }) => ({
      currency,
      opening: formatMinor(opening, currency),
      money_in: formatMinor(moneyIn, currency),
      money_out: formatMinor(moneyOut, currency),
      closing: formatMinor(opening + moneyIn - moneyOut, currency),
    })),
    activity: statement.activity.map((transfer) =>
      walletActivityView(transfer, account, publicUrl),
    ),
  })
}

function walletPaymentView(
  payment: Payment,
  store: Store,
  publicUrl: string,
): Omit<WalletPayment, 'link_title'> {
  const money = (minor: bigint) => formatMinor(minor, payment.currency)
  return {
    payment_id: payment.paymentId,
    status: payment.refundedAt === null ? 'completed' : 'refunded',
    amount: money(payment.gross),
    donation_amount: money(payment.donation),
    total: money(payment.gross + payment.donation),
    currency: payment.currency,
    request_amount: requestAmountView(payment),
    store_id: payment.storeId,
    store: storeProfile(store, publicUrl),
    reference_id: payment.referenceId,
    reference_note: payment.referenceNote,
    products: payment.products.map((product) => productView(product, payment.requestCurrency)),
    paid_at: wireTime(payment.settledAt!),
    refund: refundSummary(payment),
    return_url: returnLink(payment),
  }
}
