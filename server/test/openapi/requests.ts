import fc from 'fast-check'
import type { Operation, Parameter, Schema } from './contract.ts'

/** A generated request. `auth` selects its credentials. */
export type GeneratedRequest = {
  readonly params: Record<string, string>
  readonly query: [string, string][]
  readonly body: string | undefined
  readonly contentType: string | undefined
  readonly idempotencyKey: string | undefined
  readonly auth: 'right' | 'wrong' | 'none' | 'other'
}

/** Values by field name. Most exist in the service under test. */
export type KnownValues = Record<string, readonly string[]>

const decimal = fc
  .tuple(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 99 }))
  .map(([whole, cents]) => `${whole}.${String(cents).padStart(2, '0')}`)
const time = fc
  .date({ min: new Date('2020-01-01'), max: new Date('2099-01-01'), noInvalidDate: true })
  .map((at) => at.toISOString())

/** Strings whose format the schema doesn't define, or defines by a pattern. */
const BY_NAME: Record<string, fc.Arbitrary<string>> = {
  currency: fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'XAF', 'ZZZ'),
  from: fc.oneof(fc.constantFrom('USD', 'EUR', 'JPY'), time),
  to: fc.oneof(fc.constantFrom('USD', 'EUR', 'JPY'), time),
  email: fc.emailAddress(),
  phone: fc.integer({ min: 1_000_000, max: 9_999_999 }).map((n) => `+4477${n}`),
  phone_dial_code: fc.constantFrom('+1', '44', '+999'),
  pin: fc.constantFrom('4711', '805217', '000000', '999999999999'),
  time_zone: fc.constantFrom('UTC', 'Europe/Paris', 'Pacific/Apia', 'Mars/Olympus'),
  logo: fc.webUrl(),
  webhook_url: fc.webUrl({ withQueryParameters: true }),
  return_url: fc.webUrl({ withQueryParameters: true }),
  rate: fc.constantFrom('1', '0.0001', '1.2345', '99999999', '0', '1.23456'),
  wait: fc.constantFrom('0', '1', '61', 'x', ''),
  expires_at: time,
  created_from: fc.oneof(time, fc.constant('2020-01-01')),
  created_to: fc.oneof(time, fc.constant('2099-01-01')),
  amount: decimal,
}
const text = (maxLength: number) =>
  fc.string({ unit: 'binary', maxLength: Math.min(maxLength, 40) }).filter((s) => s.isWellFormed())

/** Values of the schema's types. Most match the schema, but the service may refuse them. */
function validValues(schema: Schema, name: string, known: KnownValues): fc.Arbitrary<unknown> {
  if (Array.isArray(schema.enum)) return fc.constantFrom(...(schema.enum as unknown[]))
  const types = [schema.type].flat()
  return fc.oneof(...types.map((type) => validValuesOfType(String(type), schema, name, known)))
}

function validValuesOfType(
  type: string,
  schema: Schema,
  name: string,
  known: KnownValues,
): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: Number(schema.minimum ?? 0),
        max: Math.min(Number(schema.maximum ?? 1000), 2 ** 31 - 1),
      })
    case 'number':
      return fc.oneof(
        fc.integer({ min: 0, max: 5000 }).map((cents) => cents / 100),
        fc.constantFrom(0.01, 1, 12.5, 999_999_999_999.99),
      )
    case 'array':
      return fc.array(validValues(schema.items as Schema, name, known), { maxLength: 3 })
    case 'object': {
      const fields = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
      if (fields.length === 0) return fc.dictionary(text(10), fc.jsonValue(), { maxKeys: 3 })
      const required = (schema.required ?? []) as string[]
      const model = Object.fromEntries(
        fields.map(([key, field]) => [key, validValues(field, key, known)]),
      )
      return fc.record(model, { requiredKeys: required, noNullPrototype: true })
    }
    default: {
      const pool = known[name]
      if (pool !== undefined) return fc.constantFrom(...pool)
      return (
        BY_NAME[name] ?? (schema.pattern?.toString().startsWith('^[0-9]+') ? decimal : text(20))
      )
    }
  }
}

const garbageText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom(
    '\0',
    '\ud800',
    '',
    ' ',
    '-1',
    '__proto__',
    "'--",
    'x'.repeat(3000),
    '1e400',
    '🛒',
  ),
)
const garbage = fc.oneof(garbageText, fc.jsonValue(), fc.double({ noNaN: true }), fc.constant(-0))

/** A valid body with one field replaced, removed or added. */
const mutatedBodies = (body: fc.Arbitrary<unknown>) =>
  fc
    .tuple(body, fc.nat(20), garbage, fc.constantFrom('set', 'drop', 'add'))
    .map(([value, at, garbageValue, change]) => {
      if (typeof value !== 'object' || value === null) return garbageValue
      const keys = Object.keys(value)
      const key = change === 'add' || keys.length === 0 ? 'unknown_field' : keys[at % keys.length]!
      const copy: Record<string, unknown> = { ...value }
      if (change === 'drop') delete copy[key]
      else copy[key] = garbageValue
      return copy
    })

/** Requests for an operation. Each part of a request is valid, invalid or random, independently of the others. */
export function requestsFor(
  operation: Operation,
  known: KnownValues,
): fc.Arbitrary<GeneratedRequest> {
  const parametersIn = (location: string) =>
    operation.parameters.filter((parameter) => parameter.in === location)
  const param = (name: string) =>
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom(...(known[name] ?? ['x'])) },
      {
        weight: 1,
        arbitrary: garbageText.filter(
          (garbageValue) => garbageValue !== '' && garbageValue.isWellFormed(),
        ),
      },
    )
  const params = fc.record(
    Object.fromEntries(parametersIn('path').map(({ name }) => [name, param(name)])),
  )
  const pair = ({ name, schema }: Parameter): fc.Arbitrary<[string, string]> => {
    const garbageValue =
      name === 'wait' ? BY_NAME.wait! : garbageText.map((text) => text.toWellFormed())
    // Only short waits: the schema allows a minute.
    const validValue = name === 'wait' ? BY_NAME.wait! : validValues(schema, name, known)
    const value = fc.oneof(
      { weight: 5, arbitrary: validValue.map(String) },
      { weight: 1, arbitrary: garbageValue },
    )
    return value.map((text) => [name, text])
  }
  // Some requests lack a parameter, and some have an unknown or a duplicate one.
  const query = fc
    .tuple(
      fc.tuple(
        ...parametersIn('query').map((parameter) => fc.option(pair(parameter), { freq: 2 })),
      ),
      fc.oneof(
        { weight: 6, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.constant<[string, string]>(['unknown_field', 'x']) },
        ...parametersIn('query').map((parameter) => ({ weight: 1, arbitrary: pair(parameter) })),
      ),
    )
    .map(([pairs, extra]) => [...pairs, extra].filter((pair) => pair !== null))

  const schema = operation.requestBody?.content['application/json']?.schema
  const validBody = schema === undefined ? fc.constant({}) : validValues(schema, '', known)
  const json = fc.oneof(
    { weight: 5, arbitrary: validBody.map((value) => JSON.stringify(value)) },
    { weight: 3, arbitrary: mutatedBodies(validBody).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
  )
  const takesBody = operation.method !== 'GET'
  const body = takesBody
    ? fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: fc.constant(undefined) })
    : fc.constant(undefined)
  const contentType = fc.oneof(
    { weight: 12, arbitrary: fc.constant('application/json') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('text/plain', 'application/json; charset=utf-8', undefined),
    },
  )
  const idempotencyKey = fc.oneof(
    { weight: 3, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('a', 'b', 'with space', 'x'.repeat(300)) },
  )
  const auth = fc.oneof(
    { weight: 10, arbitrary: fc.constant('right' as const) },
    { weight: 2, arbitrary: fc.constantFrom('wrong' as const, 'none' as const, 'other' as const) },
  )
  return fc.record({ params, query, body, contentType, idempotencyKey, auth })
}
