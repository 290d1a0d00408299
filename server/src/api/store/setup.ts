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
      const found = await service.readOfStore(storeId, () =>
        Promise.all([
          listCredentials(database, storeId),
          listPeople(database, storeId),
          hasPayment(database, { storeId, mode: 'sandbox' }),
          hasWebhook(database, { storeId, mode: 'live' }),
          hasWebhook(database, { storeId, mode: 'sandbox' }),
        ]),
      )
      const [keys, people, hasTestPayment, hasLiveWebhook, hasTestWebhook] = found
      return succeed(reply, 'Setup', {
        logo: logo !== null,
        key: keys.some(({ revokedAt }) => revokedAt === null),
        test_payment: hasTestPayment,
        webhook: hasLiveWebhook || hasTestWebhook,
        person: people.length > 1,
      })
    },
  })
}
