import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid } from '../../setup/expected.ts'
import { create, invalidOf, readDetails, statusAndBody } from '../../setup/merchantCalls.ts'
import { startTestService, type TestService, type TestStore } from '../../setup/testService.ts'

let t: TestService
let strict: TestService
let shop: TestStore
let strictShop: TestStore
beforeAll(async () => {
  t = await startTestService()
  strict = await startTestService({ FLORIN_WEBHOOK_PRIVATE: 'refuse' })
  shop = await t.createStore()
  strictShop = await strict.createStore()
})
afterAll(() => Promise.all([t.close(), strict.close()]))

describe('webhook_url', () => {
  const ABSOLUTE = 'must be an absolute URL'
  const HTTP = 'must begin with http:// or https://'
  const USER = 'must not contain a user name or password'
  const TLS = 'must begin with https://'
  const PUBLIC = 'must be a public address'
  const PORT = 'must use an allowed port: 80, 443'
  // Each row: the URL, the error if private addresses are allowed, and the error if they are refused. A null means that
  // the URL is accepted. A row without a third value has the same result in both cases.
  const rows = [
    ...['/hook', 'shop.example', '', 'https://', 'https://a b', 'https://a\n.io'].map((url) => [
      url,
      ABSOLUTE,
    ]),
    ...['ftp://a.io', 'javascript:alert(1)', 'file:///etc/passwd'].map((url) => [url, HTTP]),
    ...['https://u@a.io', 'https://u:p@a.io', 'https://:p@a.io'].map((url) => [url, USER]),
    ...['https://shop.example/hook?a=1', 'https://8.8.8.8', 'HTTPS://shop.example:80/'].map(
      (url) => [url, null],
    ),
    ['https://shop.example:9443/', null, PORT],
    ['HTTPS://shop.example:8443/', null, PORT],
    ['http://shop.example', null, TLS],
    ['http://127.0.0.1:3000/hook', null, TLS],
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
    ].map((host) => [`https://${host}/`, null, PUBLIC]),
    ...['224.0.0.1', '2130706433', '0x7f.1', 'localhost', 'a.localhost'].map((host) => [
      `https://${host}/`,
      null,
      PUBLIC,
    ]),
    ...['::1', '::', 'fd00::1', 'fe80::1', 'ff02::1', '::ffff:10.0.0.1', '64:ff9b::a00:1'].map(
      (host) => [`https://[${host}]/`, null, PUBLIC],
    ),
  ] as [string, string | null, (string | null)?][]
  it.each(rows.map(([url, error, strictError = error]) => [url, error, strictError] as const))(
    '%s has the error %j if private addresses are allowed, and %j if they are refused',
    async (webhook_url, laxError, strictError) => {
      const expected = (problem: string | null) =>
        problem === null
          ? { status: 200, body: expect.anything() }
          : invalidOf(['webhook_url', `webhook_url ${problem}`])
      expect(statusAndBody(await create(t, shop.live, { webhook_url }))).toEqual(expected(laxError))
      expect(statusAndBody(await create(strict, strictShop.live, { webhook_url }))).toEqual(
        expected(strictError),
      )
    },
  )

  it('must be a string', async () => {
    const response = await create(t, shop.live, { webhook_url: 5 })
    expect(statusAndBody(response)).toEqual(
      invalidOf(['webhook_url', 'webhook_url must be a string']),
    )
  })
})

describe('expires_in', () => {
  it.each([
    [59, 'expires_in must be at least 60'],
    [86_401, 'expires_in must be at most 86400'],
    [60.5, 'expires_in must be an integer'],
    ['60', 'expires_in must be an integer'],
  ])('%j is refused', async (expires_in, message) => {
    const response = await create(t, shop.live, { expires_in })
    expect(statusAndBody(response)).toEqual(invalidOf(['expires_in', message]))
  })

  it.each([
    [900, 60, 60],
    [900, 86_400, 86_400],
    [900, undefined, 900],
    [120, undefined, 120],
  ])('store setting %d, requested %j: %d seconds', async (setting, expires_in, seconds) => {
    const { live } = await t.createStore({ expiresAfterSeconds: setting })
    const { payment_id } = await t.createPayment(live, { expires_in })
    const data = await readDetails(t, live, payment_id)
    const durationMs = Date.parse(`${data.expires_at}Z`) - Date.parse(`${data.created_at}Z`)
    expect(durationMs).toBe(seconds * 1000)
  })
})

describe('instructions', () => {
  async function requestInstructions(
    body: Record<string, unknown>,
    language: string | undefined,
    keys = shop.live,
  ) {
    const headers = language === undefined ? undefined : { 'accept-language': language }
    return (await create(t, keys, body, headers)).body.data.instructions as string
  }

  it.each([
    ['en', 'ltr', 'Pay 10.00 USD to Test Store', 'Scan the QR code.'],
    ['es', 'ltr', 'Paga 10.00 USD a Test Store', 'Escanea el código QR.'],
    ['fr', 'ltr', 'Payez 10.00 USD à Test Store', 'Scannez le code QR.'],
    ['ar', 'rtl', 'ادفع 10.00 USD إلى Test Store', 'امسح رمز QR.'],
    ['zh', 'ltr', '向 Test Store 支付 10.00 USD', '扫描二维码。'],
  ])('are in %s by locale and by Accept-Language', async (locale, dir, title, step) => {
    for (const html of [
      await requestInstructions({ locale }, 'de'),
      await requestInstructions({ locale }, locale === 'en' ? 'fr' : 'en'),
      await requestInstructions({}, `${locale}-XX,en;q=0.5`),
    ]) {
      expect(html).toContain(`lang="${locale}" dir="${dir}"`)
      expect(html).toContain(title)
      expect(html).toContain(`<li>${step}</li>`)
    }
  })

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['de, ja', 'en'],
    ['de, es;q=0.3, fr;q=0.8', 'fr'],
    ['fr;q=0, zh-Hant-TW', 'zh'],
    ['*', 'en'],
    [`${'x'.repeat(2000)}, fr`, 'en'],
  ])('for Accept-Language %j are in %s', async (header, lang) => {
    expect(await requestInstructions({}, header)).toContain(`lang="${lang}"`)
  })

  it("show the deadline in the store's time zone, and escape markup", async () => {
    const name = `<script>alert('1')</script> & "Sons"`
    const { live } = await t.createStore({ name, timeZone: 'Asia/Tokyo' })
    const html = await requestInstructions({}, undefined, live)
    expect(html).toContain('&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt; &amp; &quot;Sons&quot;')
    expect(html).not.toContain('<script')
    expect(html.match(/<[a-z]+/g)).toEqual([
      '<div',
      '<p',
      '<strong',
      '<ol',
      '<li',
      '<li',
      '<li',
      '<p',
    ])
    const [row] = await t.database.query<{ until: string }>(
      `select to_char(max(expires_at) at time zone 'Asia/Tokyo', 'FMHH12:MI') as until
       from payment where store_id = (select max(store_id) from store)`,
    )
    expect(html).toMatch(new RegExp(`Pay before [^<]*0?${row!.until}\\s[AP]M GMT\\+9\\.</p>`))
  })
})

describe('return_url', () => {
  it.each([
    'http://localhost:3000/thanks',
    'https://shop.example/thanks?order=7#top',
    'https://10.0.0.1:9999/',
    `https://shop.example/${'x'.repeat(2048 - 21)}`,
    null,
  ])('%s is accepted, even if webhooks to private addresses are refused', async (return_url) => {
    const { live } = await strict.createStore()
    expect((await create(strict, live, { return_url })).status).toBe(200)
  })

  it.each([
    ['/thanks', 'return_url must be an absolute URL'],
    ['javascript:alert(1)', 'return_url must begin with http:// or https://'],
    ['https://user:pass@shop.example/', 'return_url must not contain a user name or password'],
    ['https://shop.example/a b', 'return_url must be an absolute URL'],
    [
      `https://shop.example/${'x'.repeat(2048 - 20)}`,
      'return_url must have at most 2048 characters',
    ],
    [5, 'return_url must be a string'],
  ])('%s is refused', async (return_url, message) => {
    expect(statusAndBody(await create(t, shop.live, { return_url }))).toEqual({
      status: 400,
      body: invalid(['return_url', message]),
    })
  })

  it('is not in the details', async () => {
    const response = await create(t, shop.live, { return_url: 'https://shop.example/' })
    const data = await readDetails(t, shop.live, response.body.data.payment_id)
    expect(data).not.toHaveProperty('return_url')
  })
})
