import {
  Account as AccountView,
  AddedPasskey,
  AddedTotp,
  CodeBody,
  PasskeyBody,
  PasskeyOptions,
  PasskeyParams,
  RecoveryCodes,
  TotpSecret,
} from '@florin/contract/account.js'
import Type from 'typebox'
import { wireTime } from '../../../core/calendar.ts'
import { textQrSvg } from '../../../core/qrSymbol.ts'
import { totpUri } from '../../../core/secondFactor.ts'
import { storableId } from '../../../core/text.ts'
import type { Account } from '../../../ops/accountNotices.ts'
import {
  addPasskey,
  confirmTotp,
  createRecoveryCodes,
  removePasskey,
  removeTotp,
  startTotp,
} from '../../../ops/factors.ts'
import { createRegistrationOptions } from '../../../ops/passkeys.ts'
import { countFactors } from '../../../sql/factors.ts'
import { listPasskeys, type Passkey } from '../../../sql/passkeys.ts'
import type { ActingCaller } from '../audiences.ts'
import { refuse, refuseField, succeed } from '../replies.ts'
import type { Call, DeclareRoute } from '../route.ts'
import { type Accounts, ownAccount, requesterOf, siteOf } from './accounts.ts'

/** Second factors of the signed-in account. */
export function accountFactorRoutes<Caller extends ActingCaller, StaffAccount extends Account>(
  route: DeclareRoute<Caller>,
  accounts: Accounts<Caller, StaffAccount>,
): void {
  const { kind, path, noun, errors, selfOf, sessionsOf } = accounts
  const access = ownAccount(path, 'factors')
  const ownerOf = (call: Call<Caller>) => ({
    kind,
    id: selfOf(call.caller).id,
    by: requesterOf(call),
  })

  route(`GET ${path}/account`, {
    operationId: `get${noun}Account`,
    summary: 'Get your account',
    description: 'Returns your account and its second factors.',
    ...access,
    data: AccountView,
    errors,
    handler: async ({ service, caller, reply }) => {
      const { id, email, name, secondFactorDueAt: dueAt } = selfOf(caller)
      const passkeys = await listPasskeys(service.database, id)
      const { hasTotp, recoveryCodes } = await countFactors(service.database, id)
      return succeed(reply, 'Account', {
        email,
        name,
        passkeys: passkeys.map(passkeyView),
        totp_active: hasTotp,
        recovery_codes_left: recoveryCodes,
        second_factor_due_at: dueAt && wireTime(dueAt),
      })
    },
  })

  route(`POST ${path}/account/passkeys/options`, {
    operationId: `get${noun}PasskeyOptions`,
    summary: 'Start adding a passkey',
    description: 'Returns the options for the browser. The passkey signs in without a password.',
    ...access,
    needsConfirmation: true,
    hasOptionalBody: true,
    data: PasskeyOptions,
    errors,
    handler: async ({ service, caller, reply }) => {
      const { id, email, name } = selfOf(caller)
      const account = { id, email, name, title: kind.title }
      const options = await createRegistrationOptions(service.database, siteOf(service), account)
      return succeed(reply, 'Options', { options })
    },
  })

  route(`POST ${path}/account/passkeys`, {
    operationId: `add${noun}Passkey`,
    summary: 'Add a passkey',
    description:
      'If you had no second factor, the response contains recovery codes. They are shown only once.',
    ...access,
    needsConfirmation: true,
    body: PasskeyBody,
    data: AddedPasskey,
    errors: [...errors, 409],
    handler: async (call) => {
      const { service, body, reply } = call
      const registration = { name: body.name, response: body.passkey, site: siteOf(service) }
      const added = await addPasskey(service.database, ownerOf(call), registration)
      if (added === 'too_many') return refuse(reply, 'too_many_passkeys')
      if (added === 'invalid') {
        return refuseField(reply, 'passkey', 'was not accepted. Start again.')
      }
      sessionsOf(service).forgetAll()
      const { passkey, recoveryCodes } = added
      const view = { passkey: passkeyView(passkey), recovery_codes: recoveryCodes }
      return succeed(reply, 'Passkey added', view)
    },
  })

  route(`DELETE ${path}/account/passkeys/:passkeyId`, {
    operationId: `remove${noun}Passkey`,
    summary: 'Remove a passkey',
    ...access,
    needsConfirmation: true,
    params: PasskeyParams,
    hasOptionalBody: true,
    data: Type.Null(),
    errors,
    handler: async (call) => {
      const { service, params, reply } = call
      const passkeyId = storableId(params.passkeyId)
      const isRemoved = await removePasskey(service.database, ownerOf(call), passkeyId)
      if (!isRemoved) return refuse(reply, 'passkey_unknown')
      sessionsOf(service).forgetAll()
      return succeed(reply, 'Passkey removed', null)
    },
  })

  route(`POST ${path}/account/totp`, {
    operationId: `start${noun}Totp`,
    summary: 'Start setting up an authenticator app',
    description:
      'Returns a new secret for the app. It becomes active when you send its first code.',
    ...access,
    needsConfirmation: true,
    hasOptionalBody: true,
    data: TotpSecret,
    errors: [...errors, 409],
    handler: async (call) => {
      const { service, caller, reply } = call
      const secret = await startTotp(service.database, ownerOf(call), service.secretKey)
      if (secret === null) return refuse(reply, 'totp_active')
      const uri = totpUri(secret, { issuer: kind.title, email: selfOf(caller).email })
      return succeed(reply, 'Secret', { secret, uri, qr_svg: textQrSvg(uri) })
    },
  })

  route(`POST ${path}/account/totp/activate`, {
    operationId: `activate${noun}Totp`,
    summary: 'Activate an authenticator app',
    description:
      'If you had no second factor, the response contains recovery codes. They are shown only once.',
    ...access,
    needsConfirmation: true,
    body: CodeBody,
    data: AddedTotp,
    errors: [...errors, 409],
    handler: async (call) => {
      const { service, body, reply } = call
      const { secretKey } = service
      const confirmation = { code: body.code, secretKey }
      const added = await confirmTotp(service.database, ownerOf(call), confirmation)
      if (added === 'not_started') return refuse(reply, 'totp_not_started')
      if (added === 'wrong') {
        return refuseField(reply, 'code', 'is wrong. Check the time on your phone.')
      }
      sessionsOf(service).forgetAll()
      return succeed(reply, 'Authenticator app added', { recovery_codes: added.recoveryCodes })
    },
  })

  route(`DELETE ${path}/account/totp`, {
    operationId: `remove${noun}Totp`,
    summary: 'Remove the authenticator app',
    ...access,
    needsConfirmation: true,
    hasOptionalBody: true,
    data: Type.Null(),
    errors,
    handler: async (call) => {
      const { service, reply } = call
      const isRemoved = await removeTotp(service.database, ownerOf(call))
      if (!isRemoved) return refuse(reply, 'totp_unknown')
      sessionsOf(service).forgetAll()
      return succeed(reply, 'Authenticator app removed', null)
    },
  })

  route(`POST ${path}/account/recovery-codes`, {
    operationId: `create${noun}RecoveryCodes`,
    summary: 'Create recovery codes',
    description:
      'Returns ten codes. Each signs in once, with the password. The old codes stop working.',
    ...access,
    needsConfirmation: true,
    hasOptionalBody: true,
    data: RecoveryCodes,
    errors: [...errors, 409],
    handler: async (call) => {
      const { service, reply } = call
      const codes = await createRecoveryCodes(service.database, ownerOf(call))
      if (codes === null) return refuse(reply, 'no_second_factor')
      return succeed(reply, 'Recovery codes', { recovery_codes: codes })
    },
  })
}

const passkeyView = ({ passkeyId, name, createdAt, lastUsedAt }: Omit<Passkey, 'accountId'>) => ({
  passkey_id: passkeyId,
  name,
  created_at: wireTime(createdAt),
  last_used_at: lastUsedAt && wireTime(lastUsedAt),
})
