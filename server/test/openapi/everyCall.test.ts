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
import { makeEveryCall, PNG_TYPE, WITH_MAIL } from './everyCall.ts'

let t: TestService
let operations: Map<string, Operation>
let check: ReturnType<typeof createResponseCheck>
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
  const document = withoutAdditionalProperties(await readDocument(t))
  operations = new Map(operationsOf(document).map((one) => [one.operationId, one]))
  check = createResponseCheck(document)
})
afterAll(() => t.close())

it('every operation succeeds, and its response has exactly the documented fields', async () => {
  const succeeded = new Set<string>()
  await makeEveryCall(t, async (operationId, given = {}) => {
    const operation = operations.get(operationId)
    if (operation === undefined) throw new Error(`There is no operation ${operationId}`)
    const { headers = t.operator, body } = given
    const typed = Buffer.isBuffer(body) ? { ...headers, ...PNG_TYPE } : headers
    const answer = await t.call(operation.method, urlOf(operation, given), typed, body)
    const contentType = String(answer.headers['content-type'])
    expect(answer.status, `${operationId}: ${answer.text.slice(0, 300)}`).toBe(200)
    expect(check(operation, { status: 200, contentType, text: answer.text })).toBeNull()
    succeeded.add(operationId)
    return answer
  })
  expect([...succeeded].sort()).toEqual([...operations.keys()].sort())
})

it('the check detects undocumented fields, missing fields and undocumented statuses', async () => {
  const operation = operations.get('getHealth')!
  const answer = { status: 200, contentType: 'application/json' }
  const text = (body: object) => JSON.stringify({ status: 200, message: 'Alive', ...body })
  expect(check(operation, { ...answer, text: text({}) })).toBeNull()
  expect(check(operation, { ...answer, text: text({ more: 1 }) })).toMatch(/additional properties/)
  expect(check(operation, { ...answer, text: '{"status":200}' })).toMatch(/required/)
  expect(check(operation, { ...answer, status: 418, text: '{}' })).toMatch(/not documented/)
  expect([...parts({ a: [{ b: 1 }] })]).toHaveLength(3)
})
