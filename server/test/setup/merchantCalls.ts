import { expect } from 'vitest'
import { invalid, refusal } from './expected.ts'
import type { Headers, TestResponse, TestService, TestStore, TestWallet } from './testService.ts'

/** The response without its headers, which differ from call to call. */
export const statusAndBody = ({ status, body }: TestResponse) => ({ status, body })

/** The status and body of a refusal. */
export const refusalOf = (status: number, message: string) => ({
  status,
  body: refusal(status, message),
})

/** The status and body of a validation error. */
export const invalidOf = (...errors: readonly (readonly [field: string, message: string])[]) => ({
  status: 400,
  body: invalid(...errors),
})

/** How many responses have each status. */
export function countStatuses(responses: readonly TestResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const create = (
  t: TestService,
  keys: Headers,
  body: Record<string, unknown> | string,
  headers: Headers = {},
): Promise<TestResponse> =>
  t.call(
    'POST',
    '/merchant/payment/create',
    { ...keys, ...headers },
    typeof body === 'string' ? body : { amount: 10, currency: 'USD', ...body },
  )

export async function readDetails(t: TestService, keys: Headers, paymentId: string) {
  const response = await t.call('GET', `/merchant/payment/${paymentId}`, keys)
  expect(statusAndBody(response)).toEqual({
    status: 200,
    body: { status: 200, message: 'Payment details', data: expect.anything() },
  })
  return response.body.data
}

export async function statusOf(t: TestService, keys: Headers, paymentId: string): Promise<string> {
  return (await t.call('GET', `/merchant/payment/${paymentId}/status`, keys)).body.data.status
}

export const refund = (
  t: TestService,
  keys: Headers,
  paymentId: string,
  headers: Headers = {},
): Promise<TestResponse> =>
  t.call('POST', `/merchant/payment/${paymentId}/refund`, { ...keys, ...headers })

export const pay = (
  t: TestService,
  { headers }: TestWallet,
  qrCode: string,
  body?: Record<string, unknown>,
  extraHeaders: Headers = {},
): Promise<TestResponse> =>
  t.call('POST', `/wallet/payment/${qrCode}/pay`, { ...headers, ...extraHeaders }, body)

export async function createPaidPayment(
  t: TestService,
  keys: Headers,
  wallet: TestWallet,
  body: Record<string, unknown> = {},
  donation?: number,
) {
  const created = await t.createPayment(keys, body)
  const paid = await pay(t, wallet, created.qr_code, { donation_amount: donation })
  expect(paid.status).toBe(200)
  return created
}

export async function sandboxPay(
  t: TestService,
  keys: Headers,
  paymentId: string,
  outcome = 'completed',
): Promise<void> {
  const paid = await t.call('POST', `/sandbox/payment/${paymentId}/pay`, keys, { outcome })
  expect(paid.status).toBe(200)
}

/** Uses the operator's API, so that caches are cleared. */
export async function changeStore(
  t: TestService,
  { store }: TestStore,
  settings: Record<string, unknown>,
): Promise<void> {
  const response = await t.call('PATCH', `/operator/stores/${store.storeId}`, t.operator, settings)
  expect(response.status).toBe(200)
}

export async function setRate(
  t: TestService,
  from: string,
  to: string,
  rate: string,
): Promise<void> {
  const response = await t.call('PUT', `/operator/rates/${from}/${to}`, t.operator, { rate })
  expect(response.status).toBe(200)
}

export async function balanceOf(t: TestService, keys: Headers): Promise<string> {
  return (await t.call('GET', '/merchant/balance', keys)).body.data.balance
}

export async function readWalletBalance(t: TestService, { headers }: TestWallet): Promise<string> {
  return (await t.call('GET', '/wallet/me', headers)).body.data.balances[0].balance
}

/** Counts the batches that failed and were split. Without a stuck lock, each is a bug. */
export async function countSplitBatches({ service }: TestService): Promise<number> {
  const { values } = await service.metrics.batchSplits.get()
  return values.reduce((sum, { value }) => sum + value, 0)
}
