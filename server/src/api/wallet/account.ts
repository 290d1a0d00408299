import { Wallet } from '@florin/contract/wallet.js'
import {
  ChangedPin,
  ChangePinBody,
  WalletEventQuery,
  WalletEvents,
  WalletSessionParams,
  WalletSessions,
  WalletSettingsBody,
} from '@florin/contract/walletAccount.js'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { wireTime } from '../../core/calendar.ts'
import { hashToken } from '../../core/ids.ts'
import { isWeakPin } from '../../core/pins.ts'
import { sessionIdOf, walletSubject } from '../../core/wallet.ts'
import { changePin } from '../../ops/walletPins.ts'
import { endSession } from '../../ops/walletSessions.ts'
import { changeWalletSettings, type SettingsChange } from '../../ops/walletSettings.ts'
import { findWalletBalances } from '../../sql/ledger.ts'
import { listSecurityEvents } from '../../sql/securityEvents.ts'
import { listSessions } from '../../sql/walletSessions.ts'
import { parsePinLimit } from '../kit/account/pinLimits.ts'
import { acceptPin, pinOwner, weakPinProblem } from '../kit/account/pins.ts'
import { walletCookie } from '../kit/account/sessionCookie.ts'
import { originOf, type WalletSession } from '../kit/authenticate.ts'
import type { FieldProblem } from '../kit/http/validation.ts'
import { pageOf, pageQuery, parseEntryCursor } from '../kit/paging.ts'
import { refuse, refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { walletView } from '../kit/views.ts'
import { knownDeviceCookie } from './session.ts'

export function accountRoutes(route: DeclareRoute<WalletSession>): void {
  route('PATCH /wallet/me', {
    operationId: 'changeWalletSettings',
    summary: 'Change the settings of the wallet',
    description: 'Omitted fields stay unchanged. Raising or removing a PIN limit needs the PIN.',
    body: WalletSettingsBody,
    data: Wallet,
    errors: [428],
    handler: changeSettings,
  })

  route('POST /wallet/pin', {
    operationId: 'changePin',
    summary: 'Change your PIN',
    description: 'Changes the PIN and ends all other sessions of the wallet.',
    body: ChangePinBody,
    data: ChangedPin,
    handler: async ({ service, caller, body, request, reply }) => {
      if (isWeakPin(body.new)) return refuseInvalid(reply, [weakPinProblem('new')])
      const { database, secretKey, mail } = service
      const owner = pinOwner(service, caller, request)
      const change = { current: body.current, next: body.new, secretKey, mail }
      const result = await changePin(database, owner, change)
      if (result.kind !== 'changed') {
        if (result.kind === 'locked') return refuse(reply, 'pin_locked')
        return refuseField(reply, 'current', 'is not your PIN')
      }
      service.walletSessions.forgetAll()
      const { deviceToken, wallet } = result
      if (walletCookie.tokenOf(request) !== caller.token) {
        return succeed(reply, 'PIN changed', { device_token: deviceToken })
      }
      knownDeviceCookie(wallet.phone).remember(request, reply, deviceToken, service.clock.now())
      return succeed(reply, 'PIN changed', {})
    },
  })

  route('GET /wallet/sessions', {
    operationId: 'listWalletSessions',
    summary: 'List your sessions',
    description: 'Lists the sessions of the wallet, newest first.',
    data: WalletSessions,
    handler: async ({ service, caller, reply }) => {
      const sessions = await listSessions(service.database, caller.walletId)
      const current = sessionIdOf(hashToken(caller.token))
      return succeed(reply, 'Sessions', {
        sessions: sessions.map((session) => ({
          session_id: sessionIdOf(session.tokenHash),
          user_agent: session.userAgent,
          address: session.address,
          created_at: wireTime(session.createdAt),
          last_used_at: wireTime(session.lastUsedAt),
          expires_at: wireTime(session.expiresAt),
          current: sessionIdOf(session.tokenHash) === current,
        })),
      })
    },
  })

  route('DELETE /wallet/sessions/:sessionId', {
    operationId: 'endWalletSession',
    summary: 'End a session',
    description: 'Ends one of your own sessions, on any device.',
    params: WalletSessionParams,
    hasOptionalBody: true,
    data: Type.Null(),
    handler: async ({ service, caller, params, request, reply }) => {
      const { sessionId } = params
      const ended = { ...caller, sessionId, origin: originOf(request) }
      if (!(await endSession(service.database, ended))) return refuse(reply, 'session_unknown')
      service.walletSessions.forgetAll()
      return succeed(reply, 'Session ended', null)
    },
  })

  route('GET /wallet/security-events', {
    operationId: 'listWalletEvents',
    summary: 'List security events',
    description: 'Lists sign-ins, wrong PINs and changes of the wallet, newest first.',
    query: WalletEventQuery,
    data: WalletEvents,
    handler: async ({ service, caller, query, reply }) => {
      const { limit, cursor, problems } = pageQuery(query)
      const before = cursor(parseEntryCursor)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const page = { accounts: [caller.publicId], before, limit: limit + 1 }
      const found = await listSecurityEvents(service.database, page)
      const { items, nextCursor } = pageOf(found, limit, (last) => String(last.eventId))
      return succeed(reply, 'Security events', {
        events: items.map(({ at, kind, actor, address, device }) => {
          // Hide the operator's address and device from the payer.
          const isOwn = actor === walletSubject(caller)
          return {
            at: wireTime(at),
            kind,
            is_own: isOwn,
            address: isOwn ? address : '',
            device: isOwn ? device : '',
          }
        }),
        next_cursor: nextCursor,
      })
    },
  })
}

type SettingsCall = Call<WalletSession, { body: WalletSettingsBody; data: Wallet }>

async function changeSettings(call: SettingsCall): Promise<FastifyReply> {
  const { service, caller, body, request, reply } = call
  const problems: FieldProblem[] = []
  const pinLimit = body.pin_limit ? parsePinLimit(body.pin_limit, 'pin_limit.', problems) : null
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { locale = null, mail_receipts: mailReceipts = null } = body
  const change: SettingsChange = { locale, mailReceipts, pinLimit }
  const { walletId, publicId } = caller
  const payer = { walletId, publicId, origin: originOf(request) }
  const { database } = service
  let changed = await changeWalletSettings(database, payer, { change, isPinVerified: false })
  if (changed === null) {
    if (!(await acceptPin(call, body.pin))) return reply
    changed = (await changeWalletSettings(database, payer, { change, isPinVerified: true }))!
  }
  const balances = await findWalletBalances(database, [walletId])
  return succeed(reply, 'Settings changed', walletView(changed, balances))
}
