import {
  CreateWalletBody,
  FindWalletQuery,
  PinBody,
  WalletList,
  WalletParams,
} from '@florin/contract/operator.js'
import { Wallet as WalletSchema } from '@florin/contract/wallet.js'
import { Activation, ActivationBody, CreatedWallet } from '@florin/contract/walletAccount.js'
import { Activity, ActivityQuery } from '@florin/contract/walletActivity.js'
import type { FastifyReply } from 'fastify'
import { wireTime } from '../../core/calendar.ts'
import { isWeakPin } from '../../core/pins.ts'
import { walletSearchWords } from '../../core/searchWords.ts'
import { normalizePhone } from '../../core/text.ts'
import type { NewActivation } from '../../ops/activationCodes.ts'
import { resetWallet } from '../../ops/walletActivations.ts'
import { createWallet, lockWallet, resetPin, unlockWallet } from '../../ops/wallets.ts'
import type { Service } from '../../service.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { findWalletsByWords } from '../../sql/search.ts'
import { findWalletByPhone, findWallets, listWallets, type Wallet } from '../../sql/wallets.ts'
import { INVALID_PHONE, weakPinProblem } from '../kit/account/pins.ts'
import { sendActivity } from '../kit/activity.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import type { FieldProblem } from '../kit/http/validation.ts'
import { pageOf, pageQuery, parseNumberCursor } from '../kit/paging.ts'
import { type Reply, refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { walletView } from '../kit/views.ts'
import type { WalletOperator } from './subjects.ts'

export function walletCollectionRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('POST /operator/wallets', {
    operationId: 'createWallet',
    summary: 'Create a wallet',
    permission: 'support',
    description:
      'The payer chooses the PIN with the activation code of the response, which is also emailed if mail is set up. With `pin`, for imports, there is no code. The `pin` of a live wallet needs the permission `admin`. Without this permission, an email address gets at most 10 emails with codes within an hour.',
    body: CreateWalletBody,
    data: CreatedWallet,
    handler: async (call) => {
      const { service, caller, body, reply } = call
      const problems: FieldProblem[] = []
      const phone = normalizePhone(body.phone)
      if (phone === null) problems.push(INVALID_PHONE)
      const { mode, name, email, pin = null, locale = null } = body
      // An operator who knows the PIN can spend the money that the wallet gets later.
      if (pin !== null && mode === 'live' && !caller.permissions.includes('admin')) {
        return refuse(reply, 'permission_missing')
      }
      if (pin !== null && isWeakPin(pin)) problems.push(weakPinProblem('pin'))
      if (phone === null || problems.length > 0) return refuseInvalid(reply, problems)
      const profile = { mode, name, email, phone, pin, locale }
      const { database, activation: context } = service
      const isLimited = !caller.permissions.includes('admin')
      const result = await createWallet(database, caller.actor, profile, context, { isLimited })
      if (result.kind === 'phone_taken') {
        return refuseField(reply, 'phone', 'belongs to another wallet')
      }
      const { wallet, activation } = result
      return succeed(reply, 'Wallet created', {
        ...walletView(wallet, []),
        activation: activation && activationView(activation),
      })
    },
  })

  route('GET /operator/wallets', {
    operationId: 'listWallets',
    summary: 'List or find wallets',
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

  route('GET /operator/wallets/:walletId/activity', {
    operationId: 'getWalletActivity',
    summary: 'List the activity of a wallet',
    permission: 'read',
    description: 'Lists payments, donations, refunds, top-ups and withdrawals, newest first.',
    params: WalletParams,
    query: ActivityQuery,
    data: Activity,
    handler: (call) => sendActivity(call, call.caller.wallet),
  })

  route('POST /operator/wallets/:walletId/unlock', {
    operationId: 'unlockWallet',
    summary: 'Unlock a wallet',
    permission: 'support',
    description:
      'Unlocks a wallet that an operator locked, or that is closed to new devices after wrong PINs. Without the permission `admin`, a wallet can be unlocked 3 times within 24 hours.',
    params: WalletParams,
    hasOptionalBody: true,
    data: WalletSchema,
    errors: [409],
    handler: async ({ service, caller, reply }) => {
      const { actor, wallet, permissions } = caller
      const isLimited = !permissions.includes('admin')
      const unlocked = await unlockWallet(service.database, actor, wallet, { isLimited })
      if (unlocked === null) return refuse(reply, 'wallet_erased')
      if (typeof unlocked === 'string') return refuse(reply, unlocked)
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
    hasOptionalBody: true,
    data: WalletSchema,
    errors: [409],
    handler: async ({ service, caller, reply }) => {
      const locked = await lockWallet(service.database, caller.actor, caller.wallet)
      if (locked === null) return refuse(reply, 'wallet_erased')
      if (typeof locked === 'string') return refuse(reply, locked)
      service.walletSessions.forgetAll()
      return sendWallet(service, reply, 'Wallet locked', locked)
    },
  })

  route('POST /operator/wallets/:walletId/activation', {
    operationId: 'resetWallet',
    summary: 'Create an activation code',
    permission: 'support',
    needsConfirmation: true,
    description:
      'Creates a code, which replaces an earlier one. The payer chooses a new PIN with the code, which ends all sessions. The code is also emailed if mail is set up. If a live wallet has or had a PIN or money, only the permission `admin` sees the code: for others, `code` and `url` are null, and the code is only emailed. Without the permission `admin`, a wallet gets 3 codes within 24 hours, and an email address gets 10 emails with codes within an hour. More are refused with 429, except that a code that is shown is created without an email if only the emails are used up.',
    params: WalletParams,
    body: ActivationBody,
    hasOptionalBody: true,
    data: Activation,
    errors: [409],
    handler: async ({ service, caller, body, reply }) => {
      const { database, activation: context } = service
      const { walletId } = caller.wallet
      const reset = {
        walletId,
        endSessions: body.end_sessions === true,
        canSeeCode: caller.permissions.includes('admin'),
      }
      const result = await resetWallet(database, caller.actor, reset, context)
      if (result.kind !== 'reset') return refuse(reply, RESET_REFUSALS[result.kind])
      service.walletSessions.forgetAll()
      const activation = activationView(result.activation)
      return result.isShown
        ? succeed(reply, 'Activation code created', activation)
        : succeed(reply, 'Activation code emailed', { ...activation, code: null, url: null })
    },
  })

  route('POST /operator/wallets/:walletId/pin', {
    operationId: 'resetPin',
    summary: 'Reset the PIN of a wallet',
    permission: 'admin',
    needsConfirmation: true,
    description:
      'Sets a new PIN and ends all sessions of the wallet. Use an activation code instead if the payer can choose the PIN.',
    params: WalletParams,
    body: PinBody,
    data: WalletSchema,
    errors: [409],
    handler: async ({ service, caller, body, reply }) => {
      if (isWeakPin(body.pin)) return refuseInvalid(reply, [weakPinProblem('pin')])
      const { wallet, actor } = caller
      const changed = await resetPin(
        service.database,
        actor,
        { wallet, pin: body.pin },
        service.activation,
      )
      if (changed === null) return refuse(reply, 'wallet_erased')
      if (typeof changed === 'string') return refuse(reply, changed)
      service.walletSessions.forgetAll()
      return sendWallet(service, reply, 'PIN set', changed)
    },
  })
}

const RESET_REFUSALS = {
  erased: 'wallet_erased',
  wallet_of_sandbox: 'wallet_of_sandbox',
  not_mailable: 'activation_by_admin',
  too_many: 'too_many_activations',
} as const

const activationView = ({ code, url, expiresAt, mailedTo }: NewActivation) => ({
  code,
  url,
  expires_at: wireTime(expiresAt),
  mailed_to: mailedTo,
})

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
  const { limit, cursor, problems } = pageQuery(query)
  const after = cursor(parseNumberCursor) ?? 0
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const range = { after, limit: limit + 1 }
  const found =
    query.phone !== undefined
      ? await findByPhone(service, query.phone)
      : query.search !== undefined
        ? await search(service, query.search, range)
        : await listWallets(database, range)
  const { items, nextCursor } = pageOf(found, limit, (last) => String(last.walletId))
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
  const number = normalizePhone(phone)
  const wallet = number && (await findWalletByPhone(database, number))
  return wallet ? [wallet] : []
}

/** If more wallets match, some are not found: the search is then too short to be useful. */
const MAX_FOUND = 500

async function search(
  { database }: Service,
  text: string,
  { after, limit }: { after: number; limit: number },
): Promise<Wallet[]> {
  const words = walletSearchWords(text)
  if (words.length === 0) return []
  const found = await findWalletsByWords(database, null, {
    words,
    walletIds: null,
    limit: MAX_FOUND,
  })
  const ids = found.filter((id) => id > after).sort((a, b) => a - b)
  const wallets = await findWallets(database, ids.slice(0, limit))
  return wallets.sort((a, b) => a.walletId - b.walletId)
}
