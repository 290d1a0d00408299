import { answer, errors, IdempotencyHeaders } from '@florin/contract/common.js'
import {
  ChangeStoreBody,
  CreateStoreBody,
  FindStoreQuery,
  MoneyMovement,
  MoveStoreMoneyBody,
  OperatorStore,
  page,
  StoreParams,
} from '@florin/contract/operator.js'
import { StoreSummary } from '@florin/contract/operators.js'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Credential } from '../../core/credentials.ts'
import { type CurrencyCode, parseCurrency } from '../../core/currencies.ts'
import { asStoreId, type Mode } from '../../core/ids.ts'
import { formatMinor, parseDecimal } from '../../core/money.ts'
import { amountMessage } from '../../core/newPayment.ts'
import { type Store, storeFields } from '../../core/store.ts'
import {
  judgeSettings,
  limitsContradict,
  NEW_STORE_SETTINGS,
  type SettingFields,
} from '../../core/storeSettings.ts'
import { changeStore, createStore, type MoveMoneyResult, moveStoreMoney } from '../../ops/stores.ts'
import type { Service } from '../../service.ts'
import { listCredentials } from '../../sql/credentials.ts'
import { findStoreBalances } from '../../sql/ledger.ts'
import { countPending } from '../../sql/payments.ts'
import { listPeople } from '../../sql/people.ts'
import { findStore, listStores } from '../../sql/stores.ts'
import { OPERATOR_DOCS as docs } from '../kit/audiences.ts'
import { acceptJson } from '../kit/bodies.ts'
import { keyOf, keyProblem } from '../kit/idempotency.ts'
import { type ListQuery, pageQuery } from '../kit/paging.ts'
import { refuse, refuseInvalid, succeed } from '../kit/replies.ts'
import { type FieldProblem, schemaProblems } from '../kit/validation.ts'

const CONTRADICTION = {
  field: 'min_amount',
  message: 'min_amount must not be above max_amount',
}

export async function operatorStoreRoutes(app: FastifyInstance, service: Service): Promise<void> {
  acceptJson(app)

  app.post(
    '/operator/stores',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'createStore',
        summary: 'Create a store',
        body: CreateStoreBody,
        response: { 200: answer(OperatorStore), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const fields = request.body as SettingFields & { name: string; currency: string }
      const currency = parseCurrency(fields.currency)
      if (currency === null) {
        return refuseInvalid(reply, [{ field: 'currency', message: 'currency is not known' }])
      }
      const judged = judgeSettings(fields, currency)
      const settings = { ...NEW_STORE_SETTINGS, ...judged.changes, name: fields.name, currency }
      problems.push(...judged.problems)
      if (limitsContradict(settings)) problems.push(CONTRADICTION)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const store = await createStore(service.database, request.actor!, settings, service.secretKey)
      return succeed(reply, 'Store created', storeFields(store))
    },
  )

  app.get(
    '/operator/stores',
    {
      schema: {
        ...docs,
        operationId: 'listStores',
        summary: 'List stores',
        querystring: FindStoreQuery,
        response: { 200: answer(page('stores', OperatorStore)), ...errors(400) },
      },
    },
    async (request, reply) => {
      const position = pageOf(request, reply)
      if (position === null) return reply
      const { search = null } = request.query as { search?: string }
      const stores = await listStores(service.database, { ...position, search })
      const shown = stores.slice(0, position.limit - 1)
      return succeed(reply, 'Stores', {
        stores: shown.map(storeFields),
        next_cursor: stores.length > shown.length ? String(shown.at(-1)!.storeId) : null,
      })
    },
  )

  app.get(
    '/operator/stores/:storeId',
    {
      schema: {
        ...docs,
        operationId: 'getOperatorStore',
        summary: 'One store with its balances',
        params: StoreParams,
        response: { 200: answer(OperatorStore), ...errors() },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const { storeId, currency } = store
      const balances = await findStoreBalances(service.database, [
        { storeId, mode: 'live' },
        { storeId, mode: 'sandbox' },
      ])
      return succeed(reply, 'Store', {
        ...storeFields(store),
        balances: balances.map((row) => ({
          mode: row.mode,
          balance: formatMinor(row.balance, currency),
          fees: formatMinor(row.fees, currency),
          gifts: formatMinor(row.gifts, currency),
        })),
      })
    },
  )

  app.get(
    '/operator/stores/:storeId/standing',
    {
      schema: {
        ...docs,
        operationId: 'getStoreStanding',
        summary: 'What a suspension of the store would hold up',
        params: StoreParams,
        response: { 200: answer(StoreSummary), ...errors() },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const { storeId, currency } = store
      const { database } = service
      const [pending, credentials, people] = await Promise.all([
        countPending(database, storeId),
        listCredentials(database, storeId),
        listPeople(database, storeId),
      ])
      const now = service.clock.now()
      const works = ({ revokedAt, expiresAt }: Credential) =>
        revokedAt === null && (expiresAt === null || expiresAt > now)
      return succeed(reply, 'Standing', {
        pending: pending.map(({ mode, count, gross }) => ({
          mode,
          count,
          amount: formatMinor(gross, currency),
        })),
        credentials: credentials.filter(works).length,
        people: people.filter(({ disabledAt }) => disabledAt === null).length,
      })
    },
  )

  app.patch(
    '/operator/stores/:storeId',
    {
      attachValidation: true,
      schema: {
        ...docs,
        operationId: 'changeStore',
        summary: 'Change the settings of a store; what is left out stays',
        params: StoreParams,
        body: ChangeStoreBody,
        response: { 200: answer(OperatorStore), ...errors(400, 413, 415) },
      },
    },
    async (request, reply) => {
      const store = await storeOf(service, request)
      if (store === null) return refuse(reply, 'store_unknown')
      const problems = schemaProblems(request)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const fields = request.body as SettingFields & { currency?: string }
      if (fields.currency !== undefined && fields.currency !== store.currency) {
        const message = 'currency of a store cannot be changed, as its ledger is in it'
        problems.push({ field: 'currency', message })
      }
      const judged = judgeSettings(fields, store.currency)
      problems.push(...judged.problems)
      if (problems.length > 0) return refuseInvalid(reply, problems)
      const { database } = service
      const changed = await changeStore(database, request.actor!, store.storeId, judged.changes)
      if (changed === null) return refuseInvalid(reply, [CONTRADICTION])
      service.stores.forget(store.storeId)
      return succeed(reply, 'Store changed', storeFields(changed))
    },
  )

  for (const [path, kind, summary] of [
    ['fund', 'funding', "Put money on a store's balance"],
    ['payout', 'payout', "Pay a store's balance out to the merchant"],
  ] as const) {
    app.post(
      `/operator/stores/:storeId/${path}`,
      {
        attachValidation: true,
        schema: {
          ...docs,
          operationId: `${path}Store`,
          summary,
          params: StoreParams,
          headers: IdempotencyHeaders,
          body: MoveStoreMoneyBody,
          response: { 200: answer(MoneyMovement), ...errors(400, 409, 413, 415, 422) },
        },
      },
      async (request, reply) => {
        const store = await storeOf(service, request)
        if (store === null) return refuse(reply, 'store_unknown')
        const problems = schemaProblems(request)
        if (problems.length > 0) return refuseInvalid(reply, problems)
        const fields = request.body as { mode: Mode; amount: string; note?: string | null }
        const amount = positiveAmount(fields.amount, store.currency)
        if (typeof amount !== 'bigint') return refuseInvalid(reply, [amount])
        const badKey = keyProblem(request)
        if (badKey !== null) return refuseInvalid(reply, [badKey])
        const { mode, note = null } = fields
        const move = { store, mode, kind, amount, note, key: keyOf(request) }
        const result = await moveStoreMoney(service.database, request.actor!, move)
        return sendMoved(reply, result, store.currency)
      },
    )
  }
}

export function sendMoved(reply: FastifyReply, result: MoveMoneyResult, currency: CurrencyCode) {
  if (result.kind === 'insufficient_balance') return refuse(reply, 'balance_not_covered')
  if (result.kind === 'balance_too_large') return refuse(reply, 'balance_too_large')
  if (result.kind === 'key_reused') return refuse(reply, 'key_reused')
  if (result.kind === 'moved_before') reply.header('idempotent-replayed', 'true')
  const balance = formatMinor(result.balance, currency)
  return succeed(reply, 'Done', { reference: result.reference, balance, currency })
}

export function positiveAmount(text: string, currency: CurrencyCode): bigint | FieldProblem {
  const amount = parseDecimal(text, currency)
  const wrong = (message: string) => ({ field: 'amount', message: `amount ${message}` })
  if (typeof amount !== 'bigint') return wrong(amountMessage(amount, currency))
  return amount > 0n ? amount : wrong('must be greater than 0')
}

export async function storeOf(service: Service, request: FastifyRequest): Promise<Store | null> {
  const { storeId } = request.params as { storeId: string }
  const id = /^\d{1,7}$/.test(storeId) ? asStoreId(Number(storeId)) : null
  return id && findStore(service.database, id)
}

/** One more than asked for is read, to know whether there is a next page. */
export function pageOf(
  request: FastifyRequest,
  reply: FastifyReply,
): { after: number; limit: number } | null {
  const problems: FieldProblem[] = []
  const asked = pageQuery(request.query as ListQuery, problems)
  const limit = asked.limit + 1
  const after = asked.cursor((text) => (/^\d{1,9}$/.test(text) ? Number(text) : null)) ?? 0
  if (problems.length === 0) return { after, limit }
  refuseInvalid(reply, problems)
  return null
}
