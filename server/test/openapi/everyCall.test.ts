import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../setup/testService.ts'
import {
  createResponseCheck,
  type Operation,
  operationsOf,
  parts,
  readDocument,
  urlOf,
  withoutAdditionalProperties,
} from './contract.ts'
import { EVERYTHING_ON, makeEveryCall, PNG_TYPE } from './everyCall.ts'

let t: TestService
let operations: Map<string, Operation>
let check: ReturnType<typeof createResponseCheck>
beforeAll(async () => {
  t = await startTestService(EVERYTHING_ON)
  const document = withoutAdditionalProperties(await readDocument(t))
  operations = new Map(
    operationsOf(document).map((operation) => [operation.operationId, operation]),
  )
  check = createResponseCheck(document)
})
afterAll(() => t.close())

it('every operation succeeds, and the document has the type of its body and matches its response, without other fields', async () => {
  const succeeded = new Set<string>()
  await makeEveryCall(t, async (operationId, request = {}) => {
    const operation = operations.get(operationId)
    if (operation === undefined) throw new Error(`There is no operation ${operationId}`)
    const { headers = t.operator, body } = request
    const typedHeaders = Buffer.isBuffer(body) ? { ...headers, ...PNG_TYPE } : headers
    if (body !== undefined) {
      const type = Buffer.isBuffer(body) ? 'image/png' : 'application/json'
      expect(Object.keys(operation.requestBody?.content ?? {}), operationId).toContain(type)
    }
    const response = await t.call(operation.method, urlOf(operation, request), typedHeaders, body)
    const contentType = String(response.headers['content-type'])
    expect(response.status, `${operationId}: ${response.text.slice(0, 300)}`).toBe(200)
    expect(check(operation, { status: 200, contentType, text: response.text })).toBeNull()
    succeeded.add(operationId)
    return response
  })
  expect([...succeeded].sort()).toEqual([...operations.keys()].sort())
})

it('the response to a movement that waits for approval matches the document, without other fields', async () => {
  await t.call('PUT', '/operator/approval-limits', t.operator, { currency: 'EUR', amount: '0' })
  const { wallet } = await t.createWallet()
  const request = { path: { walletId: wallet.publicId } }
  const body = { currency: 'EUR', amount: '1' }
  for (const id of ['topUpWallet', 'withdrawFromWallet']) {
    const operation = operations.get(id)!
    const response = await t.call('POST', urlOf(operation, request), t.operator, body)
    const contentType = String(response.headers['content-type'])
    expect(response.status).toBe(202)
    expect(check(operation, { status: 202, contentType, text: response.text })).toBeNull()
  }
})

it('the check detects undocumented fields, missing fields and undocumented statuses', async () => {
  const operation = operations.get('getHealth')!
  const response = { status: 200, contentType: 'application/json' }
  const text = (body: object) => JSON.stringify({ status: 200, message: 'Alive', ...body })
  expect(check(operation, { ...response, text: text({}) })).toBeNull()
  expect(check(operation, { ...response, text: text({ more: 1 }) })).toMatch(
    /additional properties/,
  )
  expect(check(operation, { ...response, text: '{"status":200}' })).toMatch(/required/)
  expect(check(operation, { ...response, status: 418, text: '{}' })).toMatch(/not documented/)
})

it('the parts of a value are the value and every object and list inside', () => {
  expect([...parts({ a: [{ b: 1 }] })]).toHaveLength(3)
})
