import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { html } from '../../src/pages/html.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const linksIn = (text: string) =>
  [...text.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map((match) => match[1]!)

describe('apps', () => {
  it.each(['/wallet', '/till', '/dashboard', '/operator'])(
    '%s has a strict policy and links only existing files',
    async (path) => {
      const page = await t.call('GET', path)
      expect(page.status).toBe(200)
      expect(page.headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; media-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
      })
      expect(page.text).not.toMatch(/<style|style=|<script>|onload/)
      expect(linksIn(page.text).length).toBeGreaterThan(1)
      for (const url of linksIn(page.text)) expect((await t.call('GET', url)).status).toBe(200)
    },
  )

  it('only the wallet may use the camera', async () => {
    const allowed = async (path: string) =>
      (await t.call('GET', path)).headers['permissions-policy']
    expect(await allowed('/wallet')).toContain('camera=(self)')
    for (const path of ['/till', '/dashboard', '/operator']) {
      expect(await allowed(path)).toContain('camera=()')
    }
  })

  it('use the requested language, or the one that the browser prefers', async () => {
    const langOf = async (url: string, header: string) =>
      /<html lang="(\w+)" dir="(\w+)"/
        .exec((await t.call('GET', url, { 'accept-language': header })).text)!
        .slice(1)
    expect(await langOf('/wallet', 'fr-CA,fr;q=0.9')).toEqual(['fr', 'ltr'])
    expect(await langOf('/wallet?lang=ar', 'fr')).toEqual(['ar', 'rtl'])
    expect(await langOf('/wallet?lang=xx&lang=yy', 'xx')).toEqual(['en', 'ltr'])
  })

  it('do not change the paths of the API, nor the response to unknown paths', async () => {
    expect((await t.call('GET', '/wallet/me')).status).toBe(401)
    expect((await t.call('GET', '/wallet/')).body).toEqual({ status: 404, message: 'Not found' })
    expect((await t.call('GET', '/wallet/app')).status).toBe(404)
    const posted = await t.call('POST', '/till')
    expect([posted.status, posted.headers.allow]).toEqual([405, 'GET, HEAD'])
  })
})

describe('assets', () => {
  it('are cached for a year, and compressed with the best encoding that the browser accepts', async () => {
    const [url] = linksIn((await t.call('GET', '/wallet')).text).filter((link) =>
      link.endsWith('.js'),
    )
    const plain = await t.app.inject({ url: url! })
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(plain.headers['content-type']).toBe('text/javascript; charset=utf-8')
    const fetchAs = async (acceptEncoding: string) => {
      const response = await t.app.inject({
        url: url!,
        headers: { 'accept-encoding': acceptEncoding },
      })
      return { encoding: response.headers['content-encoding'], bytes: response.rawPayload }
    }
    const [brotli, gzip] = [await fetchAs('gzip, deflate, br'), await fetchAs('gzip')]
    expect([plain.headers['content-encoding'], brotli.encoding, gzip.encoding]).toEqual([
      undefined,
      'br',
      'gzip',
    ])
    expect(brotliDecompressSync(brotli.bytes)).toEqual(plain.rawPayload)
    expect(gunzipSync(gzip.bytes)).toEqual(plain.rawPayload)
  })

  it.each([
    'x',
    '..%2fmanifest.json',
    '%2e%2e%2f%2e%2e%2f.tsbuildinfo',
    'manifest.json',
    '%00',
    '.',
  ])('%s does not exist', async (file) => {
    const response = await t.call('GET', `/assets/${file}`)
    expect(response.body).toEqual({ status: 404, message: 'Not found' })
  })
})

it('links include the path that a proxy adds', async () => {
  const proxied = await startTestService({ FLORIN_PUBLIC_URL: 'https://shop.example/pay/' })
  try {
    const { text } = await proxied.call('GET', '/till')
    expect(text).toContain('data-base="/pay"')
    const links = linksIn(text)
    expect(links.length).toBeGreaterThan(1)
    expect(links.filter((url) => !url.startsWith('/pay/assets/'))).toEqual([])
  } finally {
    await proxied.close()
  }
})

it('the template escapes everything except its own markup', () => {
  const inner = html`<b title="${'"\'<&>'}">${'</b>'}</b>`
  expect(html`<p>${[inner, '<i>', null, 5]}</p>`.markup).toBe(
    '<p><b title="&quot;&#39;&lt;&amp;&gt;">&lt;/b&gt;</b>&lt;i&gt;5</p>',
  )
})
