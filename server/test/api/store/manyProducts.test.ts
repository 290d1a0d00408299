import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { MAX_PRODUCTS } from '@florin/contract/payments.js'
import type { FastifyRequest } from 'fastify'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { invalid } from '../../setup/expected.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let owner: TestPerson
let errors: number | undefined
const countErrors = (message: unknown) => {
  const { request } = message as { readonly request: FastifyRequest }
  errors = request.validationError?.validation.length
}
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  owner = await createPerson(t, shop.store, 'owner')
  subscribe('tracing:fastify.request.handler:start', countErrors)
})
afterAll(async () => {
  unsubscribe('tracing:fastify.request.handler:start', countErrors)
  await t.close()
})

const products = Array(10_000).fill(1)
const payment = { amount: 1, currency: 'USD', products }

it.each([
  ['/merchant/payment/create', () => shop.live, payment],
  ['/merchant/links', () => shop.live, { title: 'Tea', products }],
  ['/store/live/payments', () => owner.headers, payment],
  ['/store/live/links', () => owner.headers, { title: 'Tea', products }],
  ['/store/sandbox/console/payments', () => owner.headers, payment],
] as const)(
  'POST %s drops excess products before it validates them',
  async (path, headers, body) => {
    errors = undefined
    const refused = await t.call('POST', path, headers(), body)
    expect(refused.body).toEqual(invalid(['products', 'products must have at most 100 items']))
    // One for each product that is kept, which is one more than allowed, and one for the list.
    expect(errors).toBe(MAX_PRODUCTS + 2)
  },
)
