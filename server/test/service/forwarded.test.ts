import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TIME } from '../setup/expected.ts'
import { startLogged } from '../setup/logged.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const HEADERS = [{ 'x-forwarded-for': '203.0.113.7' }, { forwarded: 'for=203.0.113.7' }]

describe('headers of an untrusted proxy', () => {
  it.each(HEADERS)('%j causes one warning, not one for every request', async (headers) => {
    const logged = await startLogged(t)
    try {
      const countWarnings = () => logged.read().split('FLORIN_TRUST_PROXY is 0').length - 1
      await logged.app.inject({ url: '/health' })
      expect(countWarnings()).toBe(0)
      for (let n = 0; n < 5; n++) await logged.app.inject({ url: '/health', headers })
      expect(countWarnings()).toBe(1)
      expect(logged.read()).not.toContain('203.0.113.7')
    } finally {
      await logged.close()
    }
  })

  it('are reported to the operator with the process that received them', async () => {
    const readForwardedTimes = async () => {
      await t.service.node.report()
      const { body } = await t.call('GET', '/operator/nodes', t.operator)
      return body.data.nodes.map((node: { forwarded_at: string | null }) => node.forwarded_at)
    }
    await t.call('GET', '/health')
    expect(await readForwardedTimes()).toEqual([null])
    await t.call('GET', '/health', HEADERS[0])
    expect(await readForwardedTimes()).toEqual([TIME])
  })

  it('are not reported behind a trusted proxy', async () => {
    const proxied = await startTestService({ FLORIN_TRUST_PROXY: '1' })
    try {
      await proxied.call('GET', '/health', HEADERS[0])
      await proxied.service.node.report()
      const { body } = await proxied.call('GET', '/operator/nodes', proxied.operator)
      expect(body.data.nodes).toMatchObject([{ forwarded_at: null }])
    } finally {
      await proxied.close()
    }
  })
})

it.each([
  ['203.0.113.7:51312', '203.0.113.7'],
  ['[2001:db8::7]:51312', '2001:db8::7'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
])('a security event shows the address of %s', async (forwardedFor, address) => {
  const proxied = await startTestService({ FLORIN_TRUST_PROXY: '1' })
  try {
    const attempt = { email: 'mallory@example.com', password: 'wrong password' }
    const headers = { 'x-forwarded-for': forwardedFor }
    expect((await proxied.call('POST', '/operator/session', headers, attempt)).status).toBe(401)
    const { body } = await proxied.call('GET', '/operator/security-events', proxied.operator)
    expect(body.data.events).toMatchObject([{ kind: 'sign_in_failed', address }])
  } finally {
    await proxied.close()
  }
})

describe('a number of trusted proxies that is too high', () => {
  let behindTwo: TestService
  beforeAll(async () => {
    behindTwo = await startTestService({ FLORIN_TRUST_PROXY: '2' })
  })
  afterAll(() => behindTwo.close())

  it.each<[string, number, Record<string, string>]>([
    ['one address', 1, { 'x-forwarded-for': '203.0.113.7' }],
    ['only a Forwarded header', 1, { forwarded: 'for=203.0.113.7' }],
    ['two addresses', 0, { 'x-forwarded-for': '203.0.113.7, 192.0.2.1' }],
    ['three addresses', 0, { 'x-forwarded-for': '10.0.0.1, 203.0.113.7, 192.0.2.1' }],
    ['neither header, such as a probe', 0, {}],
  ])(
    'for three requests with %s, the number of warnings is %i',
    async (_name, expected, headers) => {
      const logged = await startLogged(behindTwo)
      try {
        for (let n = 0; n < 3; n++) await logged.app.inject({ url: '/health', headers })
        expect(logged.read().split('has fewer addresses than FLORIN_TRUST_PROXY').length - 1).toBe(
          expected,
        )
      } finally {
        await logged.close()
      }
    },
  )
})
