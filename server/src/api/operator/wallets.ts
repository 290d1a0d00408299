import {
  CreateWalletBody,
  FindWalletQuery,
  PinBody,
  WalletList,
  WalletParams,
} from '@florin/contract/operator.js'
import { Wallet as WalletSchema } from '@florin/contract/wallet.js'
import type { FastifyReply } from 'fastify'
import { isWeakPin } from '../../core/pins.ts'
import { normalisePhone } from '../../core/text.ts'
import { createWallet, lockWallet, resetPin, unlockWallet } from '../../ops/wallets.ts'
import type { Service } from '../../service.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { findWalletByPhone, listWallets, type Wallet } from '../../sql/wallets.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { pageOf, pageQuery, parseNumber } from '../kit/paging.ts'
import { type Reply, refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import type { FieldProblem } from '../kit/validation.ts'
import { walletView } from '../kit/views.ts'
import type { WalletOperator } from './subjects.ts'

export function walletCollectionRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('POST /operator/wallets', {
    operationId: 'createWallet',
    summary: 'Create a wallet',
    permission: 'support',
    body: CreateWalletBody,
    data: WalletSchema,
    handler: async (call) => {
      const { service, caller, body, reply } = call
      const problems: FieldProblem[] = []
      const phone = normalisePhone(body.phone)
      if (phone === null) {
        const message = 'phone must be an international number such as +15550100001'
        problems.push({ field: 'phone', message })
      }
      if (isWeakPin(body.pin)) problems.push(WEAK_PIN)
      if (phone === null || problems.length > 0) return refuseInvalid(reply, problems)
      const { mode, name, email, pin } = body
      const wanted = { mode, name, email, phone, pin }
      const result = await createWallet(service.database, caller.actor, wanted, service.pepper)
      if (result.kind === 'phone_taken') {
        return refuseInvalid(reply, [
          { field: 'phone', message: 'phone belongs to another wallet' },
        ])
      }
      return succeed(reply, 'Wallet created', walletView(result.wallet, []))
    },
  })

  route('GET /operator/wallets', {
    operationId: 'listWallets',
    summary: 'List wallets',
    permission: 'read',
    query: FindWalletQuery,
    data: WalletList,
    handler: getWallets,
  })
}

export function walletRoutes(route: DeclareRoute<WalletOperator>): void {
  route('GET /operator/wallets/:walletId', {
    operationId: 'getOperatorWallet',
    summary: 'Get a wallet',
    permission: 'read',
    description: 'Returns a wallet and its balances.',
    params: WalletParams,
    data: WalletSchema,
    handler: ({ service, caller, reply }) => sendWallet(service, reply, 'Wallet', caller.wallet),
  })

  route('POST /operator/wallets/:walletId/unlock', {
    operationId: 'unlockWallet',
    summary: 'Unlock a wallet',
    permission: 'support',
    description:
      'Unlocks a wallet that an operator locked, or that is closed to new devices after wrong PINs.',
    params: WalletParams,
    optionalBody: true,
    data: WalletSchema,
    errors: [409],
    handler: async ({ service, caller, reply }) => {
      const unlocked = await unlockWallet(service.database, caller.actor, caller.wallet)
      if (unlocked === null) return refuse(reply, 'wallet_erased')
      return sendWallet(service, reply, 'Wallet unlocked', unlocked)
    },
  })

  route('POST /operator/wallets/:walletId/lock', {
    operationId: 'lockWallet',
    summary: 'Lock a wallet',
    permission: 'support',
    description:
      'Ends all sessions of the wallet. Until it is unlocked, it can neither sign in nor pay.',
    params: WalletParams,
    optionalBody: true,
    data: WalletSchema,
    errors: [409],
    handler: async ({ service, caller, reply }) => {
      const locked = await lockWallet(service.database, caller.actor, caller.wallet)
      if (locked === null) return refuse(reply, 'wallet_erased')
      service.walletSessions.forgetAll()
      return sendWallet(service, reply, 'Wallet locked', locked)
    },
  })

  route('POST /operator/wallets/:walletId/pin', {
    operationId: 'resetPin',
    summary: 'Reset the PIN of a wallet',
    permission: 'support',
    description: 'Sets a new PIN and ends all sessions of the wallet.',
    params: WalletParams,
    body: PinBody,
    data: WalletSchema,
    errors: [409],
    handler: async ({ service, caller, body, reply }) => {
      if (isWeakPin(body.pin)) return refuseInvalid(reply, [WEAK_PIN])
      const { wallet, actor } = caller
      const changed = await resetPin(
        service.database,
        actor,
        { wallet, pin: body.pin },
        service.pepper,
      )
      if (changed === null) return refuse(reply, 'wallet_erased')
      service.walletSessions.forgetAll()
      return sendWallet(service, reply, 'PIN set', changed)
    },
  })
}

const WEAK_PIN = {
  field: 'pin',
  message:
    'pin is too easy to guess. Avoid repeated digits, sequences such as 1234, years and common PINs.',
}

async function sendWallet(
  { database }: Service,
  reply: Reply<WalletSchema>,
  message: string,
  wallet: Wallet,
): Promise<FastifyReply> {
  const balances = await findWalletBalances(database, [wallet.walletId])
  return succeed(reply, message, walletView(wallet, balances))
}

type ListCall = Call<OperatorCaller, { query: FindWalletQuery; data: WalletList }>

async function getWallets({ service, query, reply }: ListCall): Promise<FastifyReply> {
  const { database } = service
  const problems: FieldProblem[] = []
  const page = pageQuery(query, problems)
  const after = page.cursor(parseNumber) ?? 0
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const found =
    query.phone === undefined
      ? await listWallets(database, { after, limit: page.limit + 1 })
      : await findByPhone(service, query.phone)
  const { items, nextCursor } = pageOf(found, page.limit, (last) => String(last.walletId))
  const balances = await findWalletBalances(
    database,
    items.map((wallet) => wallet.walletId),
  )
  const balancesOf = ({ walletId }: Wallet) => balances.filter((row) => row.walletId === walletId)
  return succeed(reply, 'Wallets', {
    wallets: items.map((wallet) => walletView(wallet, balancesOf(wallet))),
    next_cursor: nextCursor,
  })
}

async function findByPhone({ database }: Service, phone: string): Promise<Wallet[]> {
  const number = normalisePhone(phone)
  const wallet = number && (await findWalletByPhone(database, number))
  return wallet ? [wallet] : []
}
