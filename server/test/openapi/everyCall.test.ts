import { afterAll, beforeAll, expect, it } from 'vitest'
import { kindOf } from '../attacks/routes.ts'
import { startTestService, type TestResponse, type TestService } from '../setup/testService.ts'
import type { CallOptions } from './callGroups.ts'
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
const succeeded = new Set<string>()
/** The actors of the audit log entries and security events of each call that is not a GET. */
const recordedActors = new Map<string, { expected: string; found: string[] }>()
beforeAll(async () => {
  t = await startTestService(EVERYTHING_ON)
  const document = withoutAdditionalProperties(await readDocument(t))
  operations = new Map(
    operationsOf(document).map((operation) => [operation.operationId, operation]),
  )
  check = createResponseCheck(document)
  await makeEveryCall(t, callAndCheck)
})
afterAll(() => t.close())

async function callAndCheck(operationId: string, request: CallOptions = {}): Promise<TestResponse> {
  const operation = operations.get(operationId)
  if (operation === undefined) throw new Error(`There is no operation ${operationId}`)
  const { headers = t.operator, body } = request
  const typedHeaders = Buffer.isBuffer(body) ? { ...headers, ...PNG_TYPE } : headers
  if (body !== undefined) {
    const type = Buffer.isBuffer(body) ? 'image/png' : 'application/json'
    expect(Object.keys(operation.requestBody?.content ?? {}), operationId).toContain(type)
  }
  // Skip what the preparation of the call recorded.
  await readNewActors()
  const response = await t.call(operation.method, urlOf(operation, request), typedHeaders, body)
  const contentType = String(response.headers['content-type'])
  expect(response.status, `${operationId}: ${response.text.slice(0, 300)}`).toBe(200)
  expect(check(operation, { status: 200, contentType, text: response.text })).toBeNull()
  succeeded.add(operationId)
  const kind = kindOf(operation)
  if (operation.method !== 'GET' && (kind === 'person' || kind === 'operator')) {
    const signedIn = kind === 'person' ? 'bo@example.com (store 1)' : 'op@example.com (operator)'
    const expected = headers === t.operator ? 'test operator' : signedIn
    recordedActors.set(operationId, { expected, found: await readNewActors() })
  }
  return response
}

let [lastEntry, lastEvent] = ['0', '0']
/** The actors of what was recorded since the last call of this function. */
async function readNewActors(): Promise<string[]> {
  const [entries, events] = await Promise.all([
    t.database.query<{ id: string; actor: string }>(
      'select entry_id as id, actor from audit_log where entry_id > $1 order by entry_id',
      [lastEntry],
    ),
    t.database.query<{ id: string; actor: string }>(
      'select event_id as id, actor from security_event where event_id > $1 order by event_id',
      [lastEvent],
    ),
  ])
  lastEntry = entries.at(-1)?.id ?? lastEntry
  lastEvent = events.at(-1)?.id ?? lastEvent
  return [...entries, ...events].map(({ actor }) => actor)
}

it('every operation succeeds, and the document has the type of its body and matches its response, without other fields', () => {
  expect([...succeeded].sort()).toEqual([...operations.keys()].sort())
})

it('every lasting change by an operator or a person is recorded with its actor', () => {
  const calls = [...recordedActors]
  const wrong = calls.filter(([, { expected, found }]) => found.some((name) => name !== expected))
  expect(wrong).toEqual([])
  const unrecorded = calls.filter(([, { found }]) => found.length === 0).map(([id]) => id)
  // These change nothing that lasts, or only something in the sandbox.
  expect(unrecorded.sort()).toEqual([
    'confirmOperator',
    'confirmPassword',
    'getOperatorConfirmationOptions',
    'getOperatorPasskeyOptions',
    'getPersonConfirmationOptions',
    'getPersonPasskeyOptions',
    'simulatePayer',
    'startOperatorTotp',
    'startPersonTotp',
  ])
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
