import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withoutPayer } from '../../../src/core/erasure.ts'
import { invalid } from '../../setup/expected.ts'
import { create, sandboxPay, statusAndBody } from '../../setup/merchantCalls.ts'
import { createPerson } from '../../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
})
afterAll(() => t.close())

const CLIENT = '{"name":"Ada","email":"ada@client.example","phone":"5550001"}'
const withPayload = (payload: string) =>
  `{"amount":10,"currency":"USD","client":${CLIENT},"webhook_url":"http://127.0.0.1:9/","payload":${payload}}`

async function createWithPayload(payload: string): Promise<string> {
  const created = await create(t, shop.sandbox, withPayload(payload))
  expect(created.status, created.text).toBe(200)
  return created.body.data.payment_id
}

const detailsText = async (id: string) =>
  (await t.call('GET', `/merchant/payment/${id}`, shop.sandbox)).text

describe('a payload', () => {
  it.each([
    '{"id":9007199254740993}',
    '{"id":-9007199254740993}',
    '{"long":0.1000000000000000055511151231257827}',
    '{"big":1e400,"small":1e-400,"list":[123456789012345678901234567890,[2E+999]]}',
    '{"toJSON":9007199254740993}',
    '{"text":"9007199254740993","number":9007199254740993}',
    '{"constructor":{"prototype":{"a":9007199254740993}}}',
  ])('%s is returned with every digit', async (payload) => {
    expect(await detailsText(await createWithPayload(payload))).toContain(`"payload":${payload},`)
  })

  it.each([
    ['{"a":1E-7}', '{"a":1e-7}'],
    ['{"a":10.0,"b":1e1,"c":100000000000000000000000}', '{"a":10,"b":10,"c":1e+23}'],
  ])('%s is returned as %s, which has the same value', async (sent, returned) => {
    expect(await detailsText(await createWithPayload(sent))).toContain(`"payload":${returned},`)
  })

  it('is returned with every digit in the list, the webhook body, the event list, the export and the dashboard', async () => {
    const payload = '{"id":9007199254740993,"rate":0.12345678901234567890123}'
    const id = await createWithPayload(payload)
    await sandboxPay(t, shop.sandbox, id)
    const expected = `"payload":${payload},`

    const list = await t.call('GET', '/merchant/payments?limit=1', shop.sandbox)
    expect(list.text).toContain(expected)
    const [event] = await t.database.query<{ body: string }>(
      'select body from event where payment_id = $1',
      [id],
    )
    expect(event!.body).toContain(expected)
    expect(withoutPayer(event!.body)).toContain(expected)
    const events = await t.call('GET', '/merchant/events', shop.sandbox)
    expect(events.body.data.events.at(-1).body).toContain(expected)

    const owner = await createPerson(t, shop.store)
    const page = await t.call('GET', `/store/sandbox/payments/${id}`, owner.headers)
    expect(page.text).toContain(expected)
    const person = { email: 'ada@client.example' }
    const exported = await t.call('POST', '/store/sandbox/clients/export', owner.headers, person)
    expect(exported.text.split(`"payload":${payload}`)).toHaveLength(3)
  })

  it('has a size limit, towards which every digit counts', async () => {
    const digits = '1'.repeat(16 * 1024)
    const response = await create(t, shop.sandbox, withPayload(`{"a":${digits}}`))
    expect(statusAndBody(response)).toEqual({
      status: 400,
      body: invalid(['payload', 'payload must be at most 16 KiB as JSON']),
    })
  })
})

describe('a duplicate key in an object', () => {
  it.each([
    ['{"amount":1,"amount":2,"currency":"USD"}', 'amount'],
    ['{"amount":1,"currency":"USD","\\u0061mount":2}', 'amount'],
    [withPayload('{"a":[{"b":1,"c":{"d":1},"b":2}]}'), 'b'],
    [withPayload('{"a\\"\\n":1,"a\\"\\n":2}'), 'a"\n'],
    ['{"amount":1,"currency":"USD","unknown":{"x":1,"x":1}}', 'x'],
    ['{"a":{"b":12345678901234567890},"a":1}', 'a'],
  ])('is refused by name: %s', async (body, name) => {
    expect(statusAndBody(await create(t, shop.sandbox, body))).toEqual({
      status: 400,
      body: invalid([
        'body',
        `body must not contain the key ${JSON.stringify(name)} twice in one object`,
      ]),
    })
  })

  it('is allowed in separate objects', async () => {
    await createWithPayload('{"a":{"a":1},"b":[{"a":1},{"a":1}]}')
  })
})
