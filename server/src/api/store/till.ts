import { TillSettings, TillSettingsBody } from '@florin/contract/till.js'
import { PAGE_ROLES } from '../../core/pages.ts'
import { NEW_TILL, tillFields, validateTill } from '../../core/till.ts'
import { changeTill } from '../../ops/tills.ts'
import { findTill } from '../../sql/tills.ts'
import type { StorePerson } from '../kit/authenticate.ts'
import { refuseInvalid, succeed } from '../kit/replies.ts'
import type { DeclareRoute } from '../kit/route.ts'

export function tillRoutes(route: DeclareRoute<StorePerson>): void {
  route('GET /store/till', {
    operationId: 'getTill',
    summary: 'Get the settings of the till',
    description: 'Returns the quick items and tips that the till shows.',
    scope: 'read',
    data: TillSettings,
    handler: async ({ service, caller, reply }) => {
      const till = (await findTill(service.database, caller.storeId)) ?? NEW_TILL
      return succeed(reply, 'Till', tillFields(till, caller.store.currency))
    },
  })

  route('PATCH /store/till', {
    operationId: 'changeTill',
    summary: 'Change the settings of the till',
    description: 'Replaces the quick items, the tips, or both.',
    roles: PAGE_ROLES.settings,
    body: TillSettingsBody,
    data: TillSettings,
    handler: async ({ service, caller, body, reply }) => {
      const { store, actor } = caller
      const { changes, problems } = validateTill(body, store.currency)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const till = await changeTill(service.database, actor, store, changes)
      return succeed(reply, 'Till changed', tillFields(till, store.currency))
    },
  })
}
