import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

describe.each(['/openapi.json', '/docs', '/docs/getBalance', '/docs/search.json'])('%s', (url) => {
  const get = (headers: Record<string, string> = {}) => t.app.inject({ url, headers })

  it('is sent compressed to clients that accept it', async () => {
    const plain = await get()
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding', 'cache-control': 'no-cache' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const br = await get({ 'accept-encoding': 'gzip, deflate, br' })
    expect(br.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(br.rawPayload).equals(plain.rawPayload)).toBe(true)
    const gzip = await get({ 'accept-encoding': 'gzip;q=0.5, br;q=0' })
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(gzip.rawPayload).equals(plain.rawPayload)).toBe(true)
  })

  it('is not sent again to a client that has it', async () => {
    const { headers, rawPayload } = await get()
    const etag = String(headers.etag)
    for (const known of [etag, `"other", ${etag}`]) {
      const again = await get({ 'if-none-match': known })
      expect([again.statusCode, again.payload, again.headers.etag]).toEqual([304, '', etag])
    }
    for (const known of ['"other"', '', ','.repeat(10_000), 'W/"'.repeat(3000)]) {
      const again = await get({ 'if-none-match': known })
      expect([again.statusCode, again.rawPayload.length]).toEqual([200, rawPayload.length])
    }
  })
})

it('the document is not serialized again', async () => {
  await t.app.inject('/openapi.json')
  const stringify = JSON.stringify
  let calls = 0
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    calls++
    return stringify(...args)
  }) as typeof stringify
  try {
    await t.app.inject('/openapi.json')
  } finally {
    JSON.stringify = stringify
  }
  expect(calls).toBe(0)
})
