import { answer, errors } from '@florin/contract/common.js'
import { ClientBody, ClientExport, ErasedClient } from '@florin/contract/privacy.js'
import { ModeParams } from '@florin/contract/store.js'
import type { FastifyInstance } from 'fastify'
import type { Role } from '../../core/person.ts'
import type { Service } from '../../service.ts'
import { PERSON_DOCS as docs } from '../kit/audiences.ts'
import { merchantOf } from '../kit/authenticate.ts'
import { acceptJson } from '../kit/bodies.ts'
import { sendClientErased, sendClientExport } from '../kit/clients.ts'
import { readStoreMode } from './mode.ts'

const OWNER: readonly Role[] = ['owner']

/** What a store holds about one of its clients. Asked for in a body, as addresses are written into logs. */
export async function storePrivacyRoutes(app: FastifyInstance, service: Service): Promise<void> {
  app.addHook('onRequest', readStoreMode)
  acceptJson(app)
  const config = { roles: OWNER, confirmed: true }
  const asked = { ...docs, params: ModeParams, body: ClientBody }

  app.post(
    '/store/:mode/clients/export',
    {
      attachValidation: true,
      config,
      schema: {
        ...asked,
        operationId: 'exportOwnClient',
        summary: 'All that is held about a client, page by page',
        response: { 200: answer(ClientExport), ...errors(400, 413, 415, 428) },
      },
    },
    (request, reply) => sendClientExport(service, request, reply, merchantOf(request)),
  )

  app.post(
    '/store/:mode/clients/erase',
    {
      attachValidation: true,
      config,
      schema: {
        ...asked,
        operationId: 'eraseOwnClient',
        summary: 'Forget a client, its payloads and notes; its payments stay',
        response: { 200: answer(ErasedClient), ...errors(400, 413, 415, 428) },
      },
    },
    (request, reply) => sendClientErased(service, request, reply, merchantOf(request)),
  )
}
