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
