import { answer, errors, IdempotencyHeaders } from '@florin/contract/common.js'
import {
  CreateWalletBody,
  FindWalletQuery,
  MoneyMovement,
  MoveWalletMoneyBody,
  PinBody,
  page,
  WalletParams,
} from '@florin/contract/operator.js'
import { Wallet as WalletSchema } from '@florin/contract/wallet.js'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { parseCurrency } from '../../core/currencies.ts'
import { type Mode, parseWalletId } from '../../core/ids.ts'
import { isWeakPin } from '../../core/pin.ts'
import { normalisePhone } from '../../core/text.ts'
import {
  createWallet,
  lockWallet,
  moveWalletMoney,
  resetPin,
  unlockWallet,
} from '../../ops/wallets.ts'
import type { Service } from '../../service.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { findWallet, findWalletByPhone, listWallets, type Wallet } from '../../sql/wallets.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { keyOf, keyProblem } from '../kit/idempotency.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { schemaProblems } from '../kit/validation.ts'
import { walletView } from '../kit/views.ts'
import { pageOf, positiveAmount, sendMoved } from './stores.ts'

const WEAK_PIN = {
  field: 'pin',
  message:
    'pin is too easy to guess. Avoid repeated digits, sequences such as 1234, years and common PINs.',
}

export async function operatorWalletRoutes(app: FastifyInstance, service: Service): Promise<void> {
  const { database, pepper } = service
  const view = async (wallet: Wallet) =>
    walletView(wallet, await findWalletBalances(database, [wallet.walletId]))

  /** The one of that number, or none. */
  async function walletsOf(phone: string): Promise<Wallet[]> {
    const number = normalisePhone(phone)
    const wallet = number && (await findWalletByPhone(database, number))
    return wallet ? [wallet] : []
  }

  app.post(
    '/operator/wallets',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'createWallet',
        summary: 'Create a wallet',
        body: CreateWalletBody,
        response: { 200: answer(WalletSchema), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const fields = request.body as {
        mode: Mode
        name: string
        email: string
        phone: string
        pin: string
      }
      const { mode, name, email, pin } = fields
      const phone = normalisePhone(fields.phone)
      if (phone === null) {
        const message = 'phone must be an international number such as +15550100001'
        problems.push({ field: 'phone', message })
      }
      if (isWeakPin(pin)) problems.push(WEAK_PIN)
      if (phone === null || problems.length > 0) return refuseInvalid(reply, problems)
      const wanted = { mode, name, email, phone, pin }
      const result = await createWallet(database, request.actor!, wanted, pepper)
      if (result.kind === 'phone_taken') {
        return refuseInvalid(reply, [
          { field: 'phone', message: 'phone belongs to another wallet' },
        ])
      }
      return succeed(reply, 'Wallet created', walletView(result.wallet, []))
    },
  )

  app.get(
    '/operator/wallets',
    {
      schema: {
        ...docs,
        operationId: 'listWallets',
        summary: 'List wallets',
        querystring: FindWalletQuery,
        response: { 200: answer(page('wallets', WalletSchema)), ...errors(400) },
      },
    },
    async (request, reply) => {
      const position = pageOf(request, reply)
      if (position === null) return reply
      const { phone } = request.query as { phone?: string }
      const wallets =
        phone === undefined ? await listWallets(database, position) : await walletsOf(phone)
      const shown = wallets.slice(0, position.limit - 1)
      const balances = await findWalletBalances(
        database,
        shown.map((wallet) => wallet.walletId),
      )
      return succeed(reply, 'Wallets', {
        wallets: shown.map((wallet) =>
          walletView(
            wallet,
            balances.filter((row) => row.walletId === wallet.walletId),
          ),
        ),
        next_cursor: wallets.length > shown.length ? String(shown.at(-1)!.walletId) : null,
      })
    },
  )

  app.get(
    '/operator/wallets/:walletId',
    {
      schema: {
        ...docs,
        operationId: 'getOperatorWallet',
        summary: 'One wallet with its balances',
        params: WalletParams,
        response: { 200: answer(WalletSchema), ...errors() },
      },
    },
    async (request, reply) => {
      const wallet = await walletOf(service, request)
      if (wallet === null) return refuse(reply, 'wallet_unknown')
      return succeed(reply, 'Wallet', await view(wallet))
    },
  )

  for (const [path, kind, summary] of [
    ['top-up', 'top_up', 'Put money into a wallet'],
    ['withdraw', 'withdrawal', 'Take money out of a wallet'],
  ] as const) {
    app.post(
      `/operator/wallets/:walletId/${path}`,
      {
        attachValidation: true,
        schema: {
          ...docs,
          operationId: path === 'top-up' ? 'topUpWallet' : 'withdrawFromWallet',
          summary,
          params: WalletParams,
          headers: IdempotencyHeaders,
          body: MoveWalletMoneyBody,
          response: { 200: answer(MoneyMovement), ...errors(400, 409, 413, 415, 422) },
        },
      },
      async (request, reply) => {
        const wallet = await walletOf(service, request)
        if (wallet === null) return refuse(reply, 'wallet_unknown')
        const problems = schemaProblems(request)
        if (problems.length > 0) return refuseInvalid(reply, problems)
        const fields = request.body as { currency: string; amount: string; note?: string | null }
        const currency = parseCurrency(fields.currency)
        if (currency === null) {
          return refuseInvalid(reply, [{ field: 'currency', message: 'currency is not known' }])
        }
        const amount = positiveAmount(fields.amount, currency)
        if (typeof amount !== 'bigint') return refuseInvalid(reply, [amount])
        const badKey = keyProblem(request)
        if (badKey !== null) return refuseInvalid(reply, [badKey])
        const { note = null } = fields
        const move = { wallet, currency, kind, amount, note, key: keyOf(request) }
        const result = await moveWalletMoney(database, request.actor!, move)
        if (result.kind === 'erased') return refuse(reply, 'wallet_erased')
        return sendMoved(reply, result, currency)
      },
    )
  }

  app.post(
    '/operator/wallets/:walletId/unlock',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'unlockWallet',
        summary:
          'Unlock a wallet that an operator locked, or that wrong PINs closed to new devices',
        params: WalletParams,
        response: { 200: answer(WalletSchema), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const wallet = await walletOf(service, request)
      if (wallet === null) return refuse(reply, 'wallet_unknown')
      const unlocked = await unlockWallet(database, request.actor!, wallet)
      if (unlocked === null) return refuse(reply, 'wallet_erased')
      return succeed(reply, 'Wallet unlocked', await view(unlocked))
    },
  )

  app.post(
    '/operator/wallets/:walletId/lock',
    {
      config: { needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'lockWallet',
        summary: 'Let a wallet neither sign in nor pay until it is unlocked; ends all its sessions',
        params: WalletParams,
        response: { 200: answer(WalletSchema), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const wallet = await walletOf(service, request)
      if (wallet === null) return refuse(reply, 'wallet_unknown')
      const locked = await lockWallet(database, request.actor!, wallet)
      if (locked === null) return refuse(reply, 'wallet_erased')
      service.sessions.forgetAll()
      return succeed(reply, 'Wallet locked', await view(locked))
    },
  )

  app.post(
    '/operator/wallets/:walletId/pin',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'resetPin',
        summary: 'Set a new PIN; ends all sessions of the wallet',
        params: WalletParams,
        body: PinBody,
        response: { 200: answer(WalletSchema), ...errors(400, 409, 413, 415) },
      },
    },
    async (request, reply) => {
      const wallet = await walletOf(service, request)
      if (wallet === null) return refuse(reply, 'wallet_unknown')
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { pin } = request.body as { pin: string }
      if (isWeakPin(pin)) return refuseInvalid(reply, [WEAK_PIN])
      const changed = await resetPin(database, request.actor!, { wallet, pin }, pepper)
      if (changed === null) return refuse(reply, 'wallet_erased')
      service.sessions.forgetAll()
      return succeed(reply, 'PIN set', await view(changed))
    },
  )
}

export async function walletOf(service: Service, request: FastifyRequest): Promise<Wallet | null> {
  const { walletId } = request.params as { walletId: string }
  const number = parseWalletId(walletId)
  const wallet = number && (await findWallet(service.database, number))
  return wallet && wallet.publicId === walletId ? wallet : null
}
