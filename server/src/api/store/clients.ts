import { ClientBody, ClientExport, ErasedClient } from '@florin/contract/privacy.js'
import { ModeParams } from '@florin/contract/store.js'
import type { PersonInMode } from '../kit/audiences.ts'
import { eraseStoreClient, exportStoreClient } from '../kit/payment/clients.ts'
import type { DeclareRoute } from '../kit/route.ts'

/** The client is named in the body, because proxies and servers log URLs. */
export function clientRoutes(route: DeclareRoute<PersonInMode>): void {
  route('POST /store/:mode/clients/export', {
    operationId: 'exportOwnClient',
    summary: 'Export the data of a client',
    description:
      'Returns the payments of a client and the webhooks about them. Repeat with `cursor` until `next_cursor` is null.',
    roles: ['owner'],
    needsConfirmation: true,
    params: ModeParams,
    body: ClientBody,
    data: ClientExport,
    handler: (call) => exportStoreClient(call, call.caller),
  })

  route('POST /store/:mode/clients/erase', {
    operationId: 'eraseOwnClient',
    summary: 'Erase a client',
    description:
      'Erases a client and the payloads, notes and return URLs of their payments. The payments stay. Repeat with `cursor` until `next_cursor` is null.',
    roles: ['owner'],
    needsConfirmation: true,
    params: ModeParams,
    body: ClientBody,
    data: ErasedClient,
    handler: (call) => eraseStoreClient(call, call.caller),
  })
}
