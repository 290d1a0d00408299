import { StoreSetup } from '@florin/contract/store.js'
import { listCredentials } from '../../sql/credentials.ts'
import { listPeople } from '../../sql/people.ts'
import { hasPayment, hasWebhook } from '../../sql/setup.ts'
import type { StorePerson } from '../kit/authenticate.ts'
import { succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function setupRoutes(route: DeclareRoute<StorePerson>): void {
  route('GET /store/setup', {
    operationId: 'getStoreSetup',
    summary: 'Get the steps of setting up the store',
    description: 'Returns which steps of setting up a new store are done.',
    roles: ['owner'],
    data: StoreSetup,
    handler: async ({ service, caller, reply }) => {
      const { database } = service
      const { storeId, logo } = caller.store
      // One after the other: all together would take five connections.
      const steps = await service.readOfStore(storeId, async () => ({
        logo: logo !== null,
        key: (await listCredentials(database, storeId)).some(({ revokedAt }) => revokedAt === null),
        test_payment: await hasPayment(database, { storeId, mode: 'sandbox' }),
        webhook:
          (await hasWebhook(database, { storeId, mode: 'live' })) ||
          (await hasWebhook(database, { storeId, mode: 'sandbox' })),
        person: (await listPeople(database, storeId)).length > 1,
      }))
      return succeed(reply, 'Setup', steps)
    },
  })
}
