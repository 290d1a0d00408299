import { answer, errors } from '@florin/contract/common.js'
import { listOf } from '@florin/contract/fields.js'
import { operatorSettings } from '@florin/contract/operator.js'
import {
  ChangePersonBody,
  CreatedPerson,
  Person,
  PersonBody,
  PersonParams,
  ResetPerson,
  StoreSettings,
  StoreSettingsBody,
} from '@florin/contract/store.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import { localDay } from '../../core/calendar.ts'
import { PAGE_ROLES } from '../../core/pages.ts'
import type { Role } from '../../core/person.ts'
import type { Store } from '../../core/store.ts'
import { judgeSettings, type SettingFields } from '../../core/storeSettings.ts'
import { changeLogo } from '../../ops/logos.ts'
import { changeStore } from '../../ops/stores.ts'
import type { Service } from '../../service.ts'
import { databaseTime } from '../../sql/locks.ts'
import { findPerson } from '../../sql/people.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { personOf } from '../kit/authenticate.ts'
import { acceptJson, acceptPictures } from '../kit/bodies.ts'
import { addPerson, alterPerson, personIdOf, renewPassword, sendPeople } from '../kit/people.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { schemaProblems } from '../kit/validation.ts'
import { storeView } from '../kit/views.ts'

const OWNER: readonly Role[] = ['owner']

/** What an owner sets up for the store: profile, logo, and who works there. */
export async function storeSettingRoutes(app: FastifyInstance, service: Service): Promise<void> {
  acceptJson(app)
  const { database } = service
  const send = (reply: FastifyReply, message: string, store: Store) =>
    succeed(reply, message, {
      ...storeView(store, service.config.publicUrl),
      own_logo: store.logo !== null,
    })

  app.get(
    '/store/settings',
    {
      config: { roles: PAGE_ROLES.settings },
      schema: {
        ...docs,
        operationId: 'getSettings',
        summary: 'How the store is set up, fees and limits included',
        response: { 200: answer(StoreSettings), ...errors() },
      },
    },
    async (request, reply) => send(reply, 'Settings', personOf(request).store),
  )

  app.patch(
    '/store/settings',
    {
      attachValidation: true,
      config: { roles: OWNER },
      schema: {
        ...docs,
        operationId: 'changeSettings',
        summary: 'Change what the owner sets; fees and limits are the operator’s',
        body: StoreSettingsBody,
        response: { 200: answer(StoreSettings), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { store } = personOf(request)
      const fields = ownFields(request.body as SettingFields)
      for (const field of fields.refused) {
        problems.push({ field, message: `${field} is set by the operator` })
      }
      const judged = judgeSettings(fields.own, store.currency)
      problems.push(...judged.problems)
      const { timeZone } = judged.changes
      if (timeZone !== undefined && !(await isSameDay(service, store.timeZone, timeZone))) {
        const message = 'time_zone can be changed while it is the same day in both zones'
        problems.push({ field: 'time_zone', message })
      }
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const changed = await changeStore(database, request.actor!, store.storeId, judged.changes)
      service.stores.forget(store.storeId)
      return send(reply, 'Settings changed', changed!)
    },
  )

  await app.register(async (pictures) => {
    acceptPictures(pictures)
    pictures.put(
      '/store/logo',
      {
        config: { roles: OWNER },
        schema: {
          ...docs,
          operationId: 'uploadLogo',
          summary: 'A PNG or JPEG of at most 512 pixels a side and 256 KiB; it is drawn anew',
          consumes: ['image/png', 'image/jpeg'],
          response: { 200: answer(StoreSettings), ...errors(400, 413, 415) },
        },
      },
      async (request, reply) => {
        if (!Buffer.isBuffer(request.body)) return refuse(reply, 'image_type')
        const png = await service.redrawPicture(request.body)
        if (typeof png === 'string') return refuse(reply, png)
        return replaceLogo(request, reply, png)
      },
    )
  })

  app.delete(
    '/store/logo',
    {
      config: { roles: OWNER, needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'removeLogo',
        summary: 'Go back to the mark that we draw',
        response: { 200: answer(StoreSettings), ...errors(400, 413, 415) },
      },
    },
    (request, reply) => replaceLogo(request, reply, null),
  )

  async function replaceLogo(request: FastifyRequest, reply: FastifyReply, png: Buffer | null) {
    const { storeId } = personOf(request).store
    const changed = await changeLogo(database, request.actor!, storeId, png)
    service.stores.forget(storeId)
    return send(reply, 'Logo changed', changed)
  }

  app.get(
    '/store/people',
    {
      config: { roles: OWNER },
      schema: {
        ...docs,
        operationId: 'listTeam',
        summary: 'The people of the store',
        response: { 200: answer(Type.Object({ people: listOf(Person) })), ...errors() },
      },
    },
    (request, reply) => sendPeople(service, reply, personOf(request).storeId),
  )

  app.post(
    '/store/people',
    {
      attachValidation: true,
      config: { roles: OWNER, confirmed: true },
      schema: {
        ...docs,
        operationId: 'addToTeam',
        summary: 'Let somebody work for the store',
        body: PersonBody,
        response: { 200: answer(CreatedPerson), ...errors(400, 413, 415, 428) },
      },
    },
    (request, reply) => addPerson(service, request, reply, personOf(request).storeId),
  )

  app.patch(
    '/store/people/:personId',
    {
      attachValidation: true,
      config: { roles: OWNER, confirmed: true },
      schema: {
        ...docs,
        operationId: 'changeInTeam',
        summary: 'Change name or role, or disable a person; one owner must stay',
        params: PersonParams,
        body: ChangePersonBody,
        response: { 200: answer(Person), ...errors(400, 409, 413, 415, 428) },
      },
    },
    (request, reply) => alterPerson(service, request, reply, personOf(request).storeId),
  )

  app.post(
    '/store/people/:personId/password',
    {
      config: { roles: OWNER, confirmed: true, needsNoBody: true },
      schema: {
        ...docs,
        operationId: 'resetInTeam',
        summary: 'Make up a new password for somebody who is no owner; ends all sessions',
        params: PersonParams,
        response: { 200: answer(ResetPerson), ...errors(400, 409, 413, 415, 428) },
      },
    },
    async (request, reply) => {
      const person = await findPerson(database, personIdOf(request))
      if (person?.storeId !== personOf(request).storeId) return refuse(reply, 'person_unknown')
      // Owners do not open each other's accounts.
      if (person.role === 'owner') return refuse(reply, 'owner_by_operator')
      return renewPassword(service, request, reply)
    },
  )
}

/** A day that is begun stays the day, or its limit could be used up twice. */
async function isSameDay({ database }: Service, ...zones: [string, string]): Promise<boolean> {
  const at = await databaseTime(database)
  const [before, after] = zones.map((zone) => localDay(at, zone))
  return before === after
}

/** What was sent of the owner's own fields, and what of the operator's. */
function ownFields(body: SettingFields) {
  const entries = Object.entries(body)
  return {
    own: Object.fromEntries(
      entries.filter(([name]) => name in StoreSettingsBody.properties),
    ) as SettingFields,
    refused: entries.flatMap(([name]) =>
      name in operatorSettings || name === 'currency' ? [name] : [],
    ),
  }
}
