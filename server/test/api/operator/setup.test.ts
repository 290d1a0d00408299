import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { setupCode } from '../../../src/core/secrets.ts'
import { DatabaseUnavailable } from '../../../src/database/errors.ts'
import { listOperators } from '../../../src/sql/operators.ts'
import { openNode } from '../../setup/anotherNode.ts'
import { invalid, refusal } from '../../setup/expected.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const DONE = refusal(409, 'This service is already set up. Sign in instead.')

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

let tries = 0
const fields = (overrides: object = {}) => ({
  code: setupCode(t.service.secretKey),
  name: 'Ada',
  email: `ada${++tries}@florin.example`,
  password: 'correct horse battery',
  ...overrides,
})
const setUp = (body: unknown, headers = {}) => t.call('POST', '/operator/setup', headers, body)
const isOpen = async () => (await t.call('GET', '/operator/setup')).body.data.open

it('the setup needs its code and valid fields, and refuses pages of other origins', async () => {
  expect(await isOpen()).toBe(true)
  expect(await setUp(fields({ code: '0000-0000-0000-0000' }))).toMatchObject({
    status: 403,
    body: refusal(403, 'Wrong setup code. The server prints it when it starts.'),
  })
  expect((await setUp(fields({ password: 'short', email: 'x' }))).body).toEqual(
    invalid(
      ['email', 'email must be an email address'],
      ['password', 'password must have at least 10 characters'],
    ),
  )
  expect((await setUp(fields(), { origin: 'https://evil.example' })).status).toBe(403)
  expect(await listOperators(t.database)).toEqual([])
})

it('wrong setup codes are throttled per address', async () => {
  const guess = (remoteAddress: string) =>
    t.app.inject({
      method: 'POST',
      url: '/operator/setup',
      remoteAddress,
      payload: fields({ code: 'guess' }),
    })
  const statuses: number[] = []
  for (let n = 0; n < 14; n++) statuses.push((await guess('192.0.2.1')).statusCode)
  expect(statuses.at(0)).toBe(403)
  expect(statuses.at(-1)).toBe(429)
  expect((await guess('192.0.2.2')).statusCode).toBe(403)

  // An attempt that ends in 503 is not counted.
  const failure = new DatabaseUnavailable(new Error('connect ECONNREFUSED'))
  const query = vi.spyOn(t.database, 'query').mockRejectedValue(failure)
  const failed: number[] = []
  for (let n = 0; n < 14; n++) failed.push((await guess('192.0.2.3')).statusCode)
  query.mockRestore()
  expect(failed).toEqual(Array(14).fill(503))
  expect((await guess('192.0.2.3')).statusCode).toBe(403)
})

it('concurrent requests on two nodes create one operator, and the setup stays closed', async () => {
  const node = await openNode(t)
  // Case and surrounding spaces don't matter.
  const typed = fields({ code: ` ${setupCode(t.service.secretKey).toUpperCase()} ` })
  const responses = await Promise.all([
    setUp(typed),
    setUp(fields()),
    node.call('POST', '/operator/setup', {}, fields()),
    node.call('POST', '/operator/setup', {}, fields()),
  ])
  await node.close()
  expect(responses.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const [operator, ...others] = await listOperators(t.database)
  expect(others).toEqual([])
  const winner = responses.find(({ status }) => status === 200)!
  expect(winner.body.data.operator.email).toBe(operator!.email)
  const cookie = String(winner.headers['set-cookie']).split(';')[0]!
  expect((await t.call('GET', '/operator/stores', { cookie })).status).toBe(200)
  expect(await isOpen()).toBe(false)
  expect((await setUp(fields())).body).toEqual(DONE)
  const log = await t.call('GET', '/operator/audit-log', t.operator)
  expect(log.body.data.entries).toMatchObject([
    { action: 'operator.create', actor: `${operator!.email} (operator)` },
  ])
  expect(log.text).not.toContain('correct horse')
})

it('the code depends on the secret key of the service', () => {
  const codes = [t.service.secretKey, Buffer.alloc(32)].map(setupCode)
  expect(new Set(codes).size).toBe(2)
  expect(codes[0]).toMatch(/^[0-9a-z]{4}(-[0-9a-z]{4}){3}$/)
})
