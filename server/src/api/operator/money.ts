import { Approval } from '@florin/contract/approvals.js'
import {
  MoneyMovement,
  MoveStoreMoneyBody,
  MoveWalletMoneyBody,
  StoreParams,
  WalletParams,
} from '@florin/contract/operator.js'
import type { FastifyReply } from 'fastify'
import { type CurrencyCode, parseCurrency } from '../../core/currencies.ts'
import { formatMinor, parseDecimal } from '../../core/money.ts'
import { amountMessage } from '../../core/newPayment.ts'
import { requestMove } from '../../ops/approvals.ts'
import { isStoreMove, type MoneyMove, type WithIdempotencyKey } from '../../ops/moveMoney.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { type FieldProblem, problemOf } from '../kit/http/validation.ts'
import { keyOf } from '../kit/idempotency.ts'
import { accept, refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { approvalView } from './approvals.ts'
import type { StoreOperator, WalletOperator } from './subjects.ts'

export function storeMoneyRoutes(route: DeclareRoute<StoreOperator>): void {
  route('POST /operator/stores/:storeId/fund', {
    operationId: 'fundStore',
    summary: 'Fund a store',
    permission: 'money',
    needsConfirmation: true,
    description:
      'Adds money from outside to the balance of a store. Above the limit of the currency, the movement waits for a second operator, and nothing moves until then.',
    takesIdempotencyKey: true,
    params: StoreParams,
    body: MoveStoreMoneyBody,
    data: MoneyMovement,
    accepted: Approval,
    handler: (call) => moveStoreMoney(call, 'funding'),
  })

  route('POST /operator/stores/:storeId/payout', {
    operationId: 'payoutStore',
    summary: 'Pay out a store',
    permission: 'money',
    needsConfirmation: true,
    description:
      'Deducts money from the balance of a store after you paid it to the merchant. Above the limit of the currency, the movement waits for a second operator, and nothing moves until then.',
    takesIdempotencyKey: true,
    params: StoreParams,
    body: MoveStoreMoneyBody,
    data: MoneyMovement,
    accepted: Approval,
    handler: (call) => moveStoreMoney(call, 'payout'),
  })
}

export function walletMoneyRoutes(route: DeclareRoute<WalletOperator>): void {
  route('POST /operator/wallets/:walletId/top-up', {
    operationId: 'topUpWallet',
    summary: 'Top up a wallet',
    permission: 'money',
    needsConfirmation: true,
    description:
      'Adds money from outside to the balance of a wallet. Above the limit of the currency, the movement waits for a second operator, and nothing moves until then.',
    takesIdempotencyKey: true,
    params: WalletParams,
    body: MoveWalletMoneyBody,
    data: MoneyMovement,
    accepted: Approval,
    handler: (call) => moveWalletMoney(call, 'top_up'),
  })

  route('POST /operator/wallets/:walletId/withdraw', {
    operationId: 'withdrawFromWallet',
    summary: 'Withdraw from a wallet',
    permission: 'money',
    needsConfirmation: true,
    description:
      'Deducts money from the balance of a wallet after you paid it to the payer. Above the limit of the currency, the movement waits for a second operator, and nothing moves until then.',
    takesIdempotencyKey: true,
    params: WalletParams,
    body: MoveWalletMoneyBody,
    data: MoneyMovement,
    accepted: Approval,
    handler: (call) => moveWalletMoney(call, 'withdrawal'),
  })
}

type StoreCall = Call<StoreOperator, { body: MoveStoreMoneyBody; data: MoneyMovement }>

async function moveStoreMoney(call: StoreCall, kind: 'funding' | 'payout'): Promise<FastifyReply> {
  const { caller, body, request, reply } = call
  const { store } = caller
  const amount = parsePositive(body.amount, store.currency)
  if (typeof amount !== 'bigint') return refuseInvalid(reply, [amount])
  const { mode, note = null } = body
  const move = { store, mode, kind, amount, note, key: keyOf(request) }
  return requestMovement(call, move, store.currency)
}

type WalletCall = Call<WalletOperator, { body: MoveWalletMoneyBody; data: MoneyMovement }>

async function moveWalletMoney(
  call: WalletCall,
  kind: 'top_up' | 'withdrawal',
): Promise<FastifyReply> {
  const { caller, body, request, reply } = call
  const { wallet } = caller
  const currency = parseCurrency(body.currency)
  if (currency === null) return refuseField(reply, 'currency', 'is not known')
  const amount = parsePositive(body.amount, currency)
  if (typeof amount !== 'bigint') return refuseInvalid(reply, [amount])
  const { note = null } = body
  const move = { wallet, currency, kind, amount, note, key: keyOf(request) }
  return requestMovement(call, move, currency)
}

async function requestMovement(
  { service, caller, reply }: Call<OperatorCaller, { data: MoneyMovement }>,
  move: MoneyMove & WithIdempotencyKey,
  currency: CurrencyCode,
): Promise<FastifyReply> {
  const { database, mail, config } = service
  const { actor, owner } = caller
  const resources = { database, mail, publicUrl: config.publicUrl }
  const result = await requestMove(resources, { actor, operatorId: owner.operatorId }, move)
  if (result.kind === 'requester_disabled') return refuse(reply, 'permission_missing')
  if (result.kind === 'erased') return refuse(reply, 'wallet_erased')
  if (result.kind === 'insufficient_balance') return refuse(reply, 'balance_not_covered')
  if (result.kind === 'balance_too_large') return refuse(reply, 'balance_too_large')
  if (result.kind === 'key_reused') return refuse(reply, 'key_reused')
  if (result.kind === 'moved_before' || result.kind === 'waiting_before') {
    reply.header('idempotent-replayed', 'true')
  }
  if ('approval' in result) {
    const view = await approvalView(service, caller, result)
    const message = view.state === 'pending' ? 'Waiting for approval' : 'Not approved'
    return accept<Approval>(reply, message, view)
  }
  if (!isStoreMove(move)) service.announce({ paymentId: null, walletId: move.wallet.walletId })
  const balance = formatMinor(result.balance, currency)
  return succeed(reply, 'Done', { reference: result.reference, balance, currency })
}

function parsePositive(text: string, currency: CurrencyCode): bigint | FieldProblem {
  const amount = parseDecimal(text, currency)
  if (typeof amount !== 'bigint') return problemOf('amount', amountMessage(amount, currency))
  return amount > 0n ? amount : problemOf('amount', 'must be greater than 0')
}
