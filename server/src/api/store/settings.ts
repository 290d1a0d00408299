import { operatorSettings } from '@florin/contract/operator.js'
import { StoreSettings, StoreSettingsBody } from '@florin/contract/store.js'
import type { FastifyReply } from 'fastify'
import { localDay } from '../../core/calendar.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import { secondFactorRoles } from '../../core/secondFactor.ts'
import { mailFields, type Store } from '../../core/store.ts'
import { validateSettings } from '../../core/storeSettings.ts'
import { changeLogo } from '../../ops/logos.ts'
import { PEOPLE } from '../../ops/people.ts'
import { changeStore } from '../../ops/stores.ts'
import type { Service } from '../../service.ts'
import { readDatabaseTime } from '../../sql/locks.ts'
import { isConfirmed } from '../kit/account/self.ts'
import { personCookie } from '../kit/account/sessionCookie.ts'
import type { StorePerson } from '../kit/authenticate.ts'
import { type FieldProblem, problemOf } from '../kit/http/validation.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import { storeView } from '../kit/views.ts'

export function settingRoutes(route: DeclareRoute<StorePerson>): void {
  route('GET /store/settings', {
    operationId: 'getSettings',
    summary: 'Get the settings',
    description: 'Returns the settings of the store, including fees and limits.',
    roles: PAGE_ROLES.settings,
    data: StoreSettings,
    handler: (call) => sendSettings(call, 'Settings', call.caller.store),
  })

  route('PATCH /store/settings', {
    operationId: 'changeSettings',
    summary: 'Change the settings',
    description:
      'Changes the settings that belong to the owner. The operator sets fees and limits. A change of `second_factor_roles` needs a recent confirmation.',
    roles: ['owner'],
    body: StoreSettingsBody,
    data: StoreSettings,
    errors: [428],
    handler: changeSettings,
  })

  route('PUT /store/logo', {
    operationId: 'uploadLogo',
    summary: 'Upload a logo',
    description:
      'Takes a PNG or JPEG file of at most 512 × 512 pixels and 256 KiB. The image is re-encoded.',
    roles: ['owner'],
    takesPicture: true,
    data: StoreSettings,
    handler: async (call) => {
      const { service, caller, request, reply } = call
      if (!Buffer.isBuffer(request.body)) return refuse(reply, 'image_type')
      const png = await service.encodePicture(request.body, caller.storeId)
      if (typeof png === 'string') return refuse(reply, png)
      return replaceLogo(call, png)
    },
  })

  route('DELETE /store/logo', {
    operationId: 'removeLogo',
    summary: 'Remove the logo',
    description: 'Restores the default logo.',
    roles: ['owner'],
    hasOptionalBody: true,
    data: StoreSettings,
    handler: (call) => replaceLogo(call, null),
  })
}

type SettingsCall = Call<StorePerson, { data: StoreSettings }>

function sendSettings({ service, reply }: SettingsCall, message: string, store: Store) {
  return succeed(reply, message, {
    ...storeView(store, service.config.publicUrl),
    second_factor_roles: secondFactorRoles(store.secondFactorSince),
    ...mailFields(store),
    own_logo: store.logo !== null,
  })
}

async function changeSettings(
  call: Call<StorePerson, { body: StoreSettingsBody; data: StoreSettings }>,
): Promise<FastifyReply> {
  const { service, caller, body, reply } = call
  const { store, actor } = caller
  const problems: FieldProblem[] = Object.keys(body)
    .filter((field) => Object.hasOwn(operatorSettings, field) || field === 'currency')
    .map((field) => problemOf(field, 'is set by the operator'))
  const validated = validateSettings(knownFields(body), store.currency)
  problems.push(...validated.problems)
  const { timeZone } = validated.changes
  if (timeZone !== undefined && !(await isSameDay(service, store.timeZone, timeZone))) {
    const text = 'can only be changed while it is the same day in both zones'
    problems.push(problemOf('time_zone', text))
  }
  if (problems.length > 0) return refuseInvalid(reply, problems)
  const { second_factor_roles: secondFactorRoles } = body
  if (secondFactorRoles !== undefined && !(await isCallerConfirmed(call))) {
    return refuse(reply, 'password_needed')
  }
  const changed = await changeStore(service.database, actor, store.storeId, {
    ...validated.changes,
    ...(secondFactorRoles && { secondFactorRoles }),
  })
  service.stores.forget(store.storeId)
  return sendSettings(call, 'Settings changed', changed!)
}

function isCallerConfirmed({ service, caller, request }: Call<StorePerson>): Promise<boolean> {
  const token = personCookie.tokenOf(request)!
  const now = service.clock.now()
  return isConfirmed(PEOPLE, service.personSessions, { token, session: caller, now })
}

/** Only the known fields of the body. Unknown fields are ignored. */
const knownFields = (body: StoreSettingsBody): StoreSettingsBody =>
  Object.fromEntries(
    Object.entries(body).filter(([name]) => Object.hasOwn(StoreSettingsBody.properties, name)),
  )

/** A new time zone must not start another day: the daily limit could be used twice. */
async function isSameDay({ database }: Service, ...zones: [string, string]): Promise<boolean> {
  const at = await readDatabaseTime(database)
  const [before, after] = zones.map((zone) => localDay(at, zone))
  return before === after
}

async function replaceLogo(call: SettingsCall, png: Buffer | null): Promise<FastifyReply> {
  const { service, caller } = call
  const changed = await changeLogo(service.database, caller.actor, caller.storeId, png)
  service.stores.forget(caller.storeId)
  return sendSettings(call, 'Logo changed', changed)
}
