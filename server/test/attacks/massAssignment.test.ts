import { afterAll, beforeAll, expect, it } from 'vitest'
import type { CallOptions } from '../openapi/callGroups.ts'
import { type Operation, parts, type Schema, urlOf } from '../openapi/contract.ts'
import { EVERYTHING_ON, makeEveryCall, PNG_TYPE } from '../openapi/everyCall.ts'
import { startTestService, type TestService } from '../setup/testService.ts'
import { routesOf } from './routes.ts'

// Runs the same requests twice: as documented, and with additional fields.
let plain: TestService
let extended: TestService
let operations: Map<string, Operation>
let extraFields: Record<string, unknown>
beforeAll(async () => {
  ;[plain, extended] = await Promise.all([
    startTestService(EVERYTHING_ON),
    startTestService(EVERYTHING_ON),
  ])
  const routes = await routesOf(plain)
  operations = new Map(routes.map((route) => [route.operationId, route]))
  extraFields = extraFieldsOf(routes)
})
afterAll(() => Promise.all([plain.close(), extended.close()]))

/** Fields with the names of all fields of requests and responses, and with names that an attacker would guess. */
function extraFieldsOf(routes: Operation[]): Record<string, unknown> {
  const found: Record<string, unknown> = {
    is_admin: true,
    isAdmin: true,
    admin: true,
    constructor: { prototype: { isAdmin: true } },
    prototype: { isAdmin: true },
    storeId: 1,
    passwordHash: 'x',
    password_hash: 'x',
    confirmed_at: '2099-01-01 00:00:00',
    locked_until: null,
    secret_hash: 'x',
  }
  for (const { properties } of parts(routes)) {
    for (const [name, schema] of Object.entries((properties ?? {}) as Record<string, Schema>)) {
      found[name] ??= validValue(schema)
    }
  }
  return found
}

/** A value of the field's type, valid for most fields. */
function validValue({ type, enum: choices, examples, pattern, items }: Schema): unknown {
  if (Array.isArray(choices)) return choices.filter((choice) => choice !== null).at(-1)
  if (Array.isArray(examples)) return '9999.00'
  switch ([type].flat()[0]) {
    case 'boolean':
      return true
    case 'integer':
    case 'number':
      return 1
    case 'array':
      return [validValue((items ?? {}) as Schema)]
    case 'object':
      return {}
    default:
      return String(pattern).includes('\\d{4}-') ? '2099-01-01 00:00:00' : 'extended'
  }
}

/** Adds fields to the body and every object in it, except free-form objects. */
function withExtraFields(
  value: unknown,
  schema: Schema | undefined,
  omitted: Set<string>,
): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => withExtraFields(item, schema?.items as Schema | undefined, omitted))
  }
  const properties = schema?.properties as Record<string, Schema> | undefined
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  const ownFields = Object.entries(value).map(([name, field]) => [
    name,
    withExtraFields(field, properties[name], omitted),
  ])
  const addedFields = Object.entries(extraFields).filter(
    ([name]) => !(name in properties) && !omitted.has(name),
  )
  return { ...Object.fromEntries(addedFields), ...Object.fromEntries(ownFields) }
}

const contentTypeOf = (body: unknown) => (Buffer.isBuffer(body) ? PNG_TYPE : {})

async function callAsDocumented(
  operationId: string,
  { headers, body, ...where }: CallOptions = {},
) {
  const { method } = operations.get(operationId)!
  const allHeaders = { ...(headers ?? plain.operator), ...contentTypeOf(body) }
  return plain.call(method, urlOf(operations.get(operationId)!, where), allHeaders, body)
}

const PROTOTYPE = '{"__proto__":{"is_admin":true}'

/** A field that is refused by name is left out of the second request. All others must be ignored. */
async function callExtended(operationId: string, { headers, body, ...where }: CallOptions = {}) {
  const operation = operations.get(operationId)!
  const schema = operation.requestBody?.content['application/json']?.schema
  const allHeaders = { ...(headers ?? extended.operator), ...contentTypeOf(body) }
  if (schema !== undefined) {
    const withPrototype = JSON.stringify(body ?? {}).replace(/^\{(?=(.))/, (_, next) =>
      next === '}' ? PROTOTYPE : `${PROTOTYPE},`,
    )
    const response = await extended.call(
      operation.method,
      urlOf(operation, where),
      allHeaders,
      withPrototype,
    )
    expect(response.status, `${operationId}: ${withPrototype}`).toBe(400)
  }
  const refused = new Set<string>()
  for (let round = 0; ; round++) {
    const sent = schema === undefined ? body : withExtraFields(body ?? {}, schema, refused)
    const response = await extended.call(
      operation.method,
      urlOf(operation, where),
      allHeaders,
      sent,
    )
    if (response.status !== 400 || round > 0) {
      expect(response.status, `${operationId}: ${response.text.slice(0, 300)}`).toBe(200)
      return response
    }
    for (const { field } of response.body.errors) refused.add(field)
  }
}

/** Tables whose rows differ between two runs. */
const VARYING_TABLES = ['delivery', 'delivery_attempt', 'node', 'node_sample', 'ledger_audit']

/** Every row of the other tables, without random values and times. */
async function dump({ database }: TestService): Promise<Record<string, string[]>> {
  const tables = await database.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all ($1)`,
    [VARYING_TABLES],
  )
  const all: Record<string, string[]> = {}
  for (const { name } of tables) {
    const rows = await database.query<{ row: unknown }>(
      `select to_jsonb(r) as row from "${name}" r`,
    )
    all[name] = rows.map(({ row }) => JSON.stringify(normalize(row))).sort()
  }
  return all
}

function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalize)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, field]) => [name, normalize(field)]),
    )
  }
  if (typeof value === 'number' && Math.abs(value) > 1e12) return 'a number'
  if (typeof value !== 'string') return value
  return (
    value
      .replace(/^\$argon2.*/, 'a hash')
      .replace(/\d{4}-\d\d-\d\d([T ][\d:.+Z]+)?/g, 'a time')
      .replace(/[\w+/=\\-]{20,}/g, 'a name')
      // The id of a wallet among its words.
      .replace(/'\w{16}'/g, "'a name'")
  )
}

it('every call refuses additional fields by name or ignores them, and they change nothing', async () => {
  expect(Object.keys(extraFields).length).toBeGreaterThan(150)
  await Promise.all([makeEveryCall(plain, callAsDocumented), makeEveryCall(extended, callExtended)])
  expect(await dump(extended)).toEqual(await dump(plain))
  // No object got the fields that were sent for its prototype.
  expect(['is_admin', 'isAdmin'].filter((name) => name in {})).toEqual([])
})

it('detects a field that was stored', async () => {
  await plain.call('PATCH', '/operator/stores/1', plain.operator, { fee_bps: 7 })
  expect((await dump(plain)).store).not.toEqual((await dump(extended)).store)
})
