import {
  ChangeStoreBody,
  CreateStoreBody,
  FindStoreQuery,
  OperatorStore,
  StoreList,
  StoreParams,
  StoreSummary,
} from '@florin/contract/operator.js'
import type { FastifyReply } from 'fastify'
import type { Credential } from '../../core/credentials.ts'
import { parseCurrency } from '../../core/currencies.ts'
import { formatMinor } from '../../core/money.ts'
import { storeFields } from '../../core/store.ts'
import { limitsContradict, NEW_STORE_SETTINGS, validateSettings } from '../../core/storeSettings.ts'
import { changeStore, createStore } from '../../ops/stores.ts'
import { listCredentials } from '../../sql/credentials.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { countPending } from '../../sql/payments.ts'
import { listPeople } from '../../sql/people.ts'
import { listStores } from '../../sql/stores.ts'
import type { OperatorCaller } from '../kit/audiences.ts'
import { problemOf } from '../kit/http/validation.ts'
import { pageOf, pageQuery, parseNumberCursor } from '../kit/paging.ts'
import { refuseField, refuseInvalid, succeed } from '../kit/replies.ts'
import type { Call, DeclareRoute } from '../kit/route.ts'
import type { StoreOperator } from './subjects.ts'

export function storeCollectionRoutes(route: DeclareRoute<OperatorCaller>): void {
  route('POST /operator/stores', {
    operationId: 'createStore',
    summary: 'Create a store',
    permission: 'admin',
    description: 'Creates a store with empty balances in live and sandbox mode.',
    body: CreateStoreBody,
    data: OperatorStore,
    handler: async ({ service, caller, body, reply }) => {
      const currency = parseCurrency(body.currency)
      if (currency === null) return refuseField(reply, 'currency', 'is not known')
      const { changes, problems } = validateSettings(body, currency)
      const settings = { ...NEW_STORE_SETTINGS, ...changes, name: body.name, currency }
      if (limitsContradict(settings)) problems.push(CONTRADICTION)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const store = await createStore(service.database, caller.actor, settings, service.secretKey)
      return succeed(reply, 'Store created', storeFields(store))
    },
  })

  route('GET /operator/stores', {
    operationId: 'listStores',
    summary: 'List stores',
    permission: 'read',
    query: FindStoreQuery,
    data: StoreList,
    handler: async ({ service, query, reply }) => {
      const { limit, cursor, problems } = pageQuery(query)
      const after = cursor(parseNumberCursor) ?? 0
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { search = null } = query
      const found = await listStores(service.database, { after, limit: limit + 1, search })
      const { items, nextCursor } = pageOf(found, limit, (last) => String(last.storeId))
      return succeed(reply, 'Stores', { stores: items.map(storeFields), next_cursor: nextCursor })
    },
  })
}

export function storeRoutes(route: DeclareRoute<StoreOperator>): void {
  route('GET /operator/stores/:storeId', {
    operationId: 'getOperatorStore',
    summary: 'Get a store',
    permission: 'read',
    description: 'Returns the settings of a store and its balances.',
    params: StoreParams,
    data: OperatorStore,
    handler: async ({ service, caller, reply }) => {
      const { storeId, currency } = caller.store
      const balances = await findStoreBalances(service.database, [
        { storeId, mode: 'live' },
        { storeId, mode: 'sandbox' },
      ])
      return succeed(reply, 'Store', {
        ...storeFields(caller.store),
        balances: balances.map((row) => ({
          mode: row.mode,
          balance: formatMinor(row.balance, currency),
          fees: formatMinor(row.fees, currency),
          gifts: formatMinor(row.gifts, currency),
        })),
      })
    },
  })

  route('GET /operator/stores/:storeId/standing', {
    operationId: 'getStoreSummary',
    summary: 'Get the summary of a store',
    permission: 'read',
    description:
      'Returns the pending payments, active API keys and people that a suspension would affect.',
    params: StoreParams,
    data: StoreSummary,
    handler: getSummary,
  })

  route('PATCH /operator/stores/:storeId', {
    operationId: 'changeStore',
    summary: 'Change a store',
    permission: 'admin',
    needsConfirmation: true,
    description: 'Changes the settings in the body. Absent fields keep their value.',
    params: StoreParams,
    body: ChangeStoreBody,
    data: OperatorStore,
    handler: async (call) => {
      const { service, caller, reply } = call
      const { currency, ...fields } = call.body
      const { store } = caller
      const { changes, problems } = validateSettings(fields, store.currency)
      if (currency !== undefined && currency !== store.currency) {
        problems.unshift(problemOf('currency', 'of a store cannot be changed'))
      }
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const changed = await changeStore(service.database, caller.actor, store.storeId, changes)
      if (changed === null) return refuseInvalid(reply, [CONTRADICTION])
      service.stores.forget(store.storeId)
      return succeed(reply, 'Store changed', storeFields(changed))
    },
  })
}

const CONTRADICTION = problemOf('min_amount', 'must not be above max_amount')

type SummaryCall = Call<StoreOperator, { data: StoreSummary }>

async function getSummary({ service, caller, reply }: SummaryCall): Promise<FastifyReply> {
  const { storeId, currency } = caller.store
  const now = service.clock.now()
  const [pending, credentials, people] = await Promise.all([
    countPending(service.database, storeId, now),
    listCredentials(service.database, storeId),
    listPeople(service.database, storeId),
  ])
  const isActive = ({ revokedAt, expiresAt }: Credential) =>
    revokedAt === null && (expiresAt === null || expiresAt > now)
  return succeed(reply, 'Store summary', {
    pending: pending.map(({ mode, count, gross }) => ({
      mode,
      count,
      amount: formatMinor(gross, currency),
    })),
    credentials: credentials.filter(isActive).length,
    people: people.filter(({ disabledAt, invitedAt }) => disabledAt === null && invitedAt === null)
      .length,
  })
}
