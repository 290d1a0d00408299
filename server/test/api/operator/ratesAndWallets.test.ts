import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const WALLET_UNKNOWN = refusal(404, 'Wallet not found')

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

describe('rates', () => {
  const set = (pair: string, body: unknown) =>
    t.call('PUT', `/operator/rates/${pair}`, t.operator, body)

  it('apply immediately to new payments, keep their history, and do not change old payments', async () => {
    const { live } = await t.createStore()
    const createInEuros = async () => {
      const { payment_id } = await t.createPayment(live, { amount: 10, currency: 'EUR' })
      const { body } = await t.call('GET', `/merchant/payment/${payment_id}`, live)
      return { id: payment_id, ...body.data.request_amount, amount: body.data.amount }
    }
    const noRate = await t.call('POST', '/merchant/payment/create', live, {
      amount: 10,
      currency: 'EUR',
    })
    expect(noRate.body).toEqual(invalid(['currency', 'currency EUR cannot be converted to USD']))
    expect((await set('EUR/USD', { rate: '1.1' })).body).toEqual({
      status: 200,
      message: 'Rate set',
      data: { from: 'EUR', to: 'USD', rate: '1.1000', set_at: TIME },
    })
    const first = await createInEuros()
    expect(first).toMatchObject({ amount: '11.00', conversion_rate: '1.1000' })
    await set('EUR/USD', { rate: '2' })
    expect(await createInEuros()).toMatchObject({ amount: '20.00', conversion_rate: '2.0000' })
    const { body: unchanged } = await t.call('GET', `/merchant/payment/${first.id}`, live)
    expect(unchanged.data).toMatchObject({ amount: '11.00' })

    await set('USD/EUR', { rate: '0.0001' })
    const history = await t.call('GET', '/operator/rates/EUR/USD', t.operator)
    expect(history.body).toEqual({
      status: 200,
      message: 'Rates',
      data: {
        rates: ['2.0000', '1.1000'].map((rate) => ({ from: 'EUR', to: 'USD', rate, set_at: TIME })),
        next_cursor: null,
      },
    })
    const page = (query: string) =>
      t.call('GET', `/operator/rates/EUR/USD?limit=1${query}`, t.operator)
    const { rates, next_cursor } = (await page('')).body.data
    const rest = (await page(`&cursor=${next_cursor}`)).body.data
    expect([...rates, ...rest.rates]).toEqual(history.body.data.rates)
    expect(rest.next_cursor).toBeNull()
    expect((await page('&cursor=x')).status).toBe(400)
    const current = await t.call('GET', '/operator/rates', t.operator)
    expect(current.body.data.rates).toHaveLength(2)
    expect(current.body.data.rates).toEqual(
      expect.arrayContaining([
        { from: 'EUR', to: 'USD', rate: '2.0000', set_at: TIME },
        { from: 'USD', to: 'EUR', rate: '0.0001', set_at: TIME },
      ]),
    )
  })

  it('set concurrently are all stored', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) => set('GBP/JPY', { rate: String(i + 1) })),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const history = await t.call('GET', '/operator/rates/GBP/JPY', t.operator)
    expect(history.body.data.rates).toHaveLength(20)
  })

  const RATE =
    'rate must be above zero, with at most eight digits before the decimal point and four after it, such as "1.0842"'
  it.each<[string, unknown, [string, string][]]>([
    ['GBP/USD', { rate: '0' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '0.0000' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '1.00001' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '-1' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '1e2' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '123456789' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '1\0' }, [['rate', RATE]]],
    ['GBP/USD', { rate: '1'.repeat(21) }, [['rate', 'rate must have at most 20 characters']]],
    ['GBP/USD', { rate: 1.5 }, [['rate', 'rate must be a string']]],
    ['GBP/USD', {}, [['rate', 'rate is required']]],
    ['GBP/USD', '[]', [['body', 'body must be an object']]],
    [
      'gbp/USD',
      { rate: '1' },
      [['from', 'from must be an ISO 4217 code in upper case, such as USD']],
    ],
    ['GBP/ZZZ', { rate: '1' }, [['to', 'to must be an ISO 4217 code in upper case, such as USD']]],
    ['USD/USD', { rate: '1' }, [['to', 'to must not be the same currency as from']]],
    [
      '%00/x',
      {},
      [
        ['from', 'from must be an ISO 4217 code in upper case, such as USD'],
        ['to', 'to must be an ISO 4217 code in upper case, such as USD'],
        ['rate', 'rate is required'],
      ],
    ],
  ])('%s %j is refused', async (pair, body, problems) => {
    const response = await set(pair, body)
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid(...problems))
    const history = await t.call('GET', '/operator/rates/GBP/USD', t.operator)
    expect(history).toMatchObject({ status: 404, body: refusal(404, 'Rate not found') })
  })

  it.each(['USD/GBP', 'x/y', '%00/%00'])('the unknown rate %s is refused', async (pair) => {
    const response = await t.call('GET', `/operator/rates/${pair}`, t.operator)
    expect(response).toMatchObject({ status: 404, body: refusal(404, 'Rate not found') })
  })
})

const WEAK =
  'pin is too easy to guess. Avoid repeated digits, sequences such as 1234, years and common PINs.'

describe('wallets', () => {
  const ADA = {
    mode: 'live',
    name: 'Ada',
    email: 'ada@example.com',
    phone: '+44 7700 900-001',
    pin: '246810',
  }
  const create = (body: unknown) => t.call('POST', '/operator/wallets', t.operator, body)

  it('are created with a unique phone number across both modes', async () => {
    const { status, body } = await create(ADA)
    expect(status).toBe(200)
    const data = {
      id: expect.any(Number),
      wallet_id: expect.stringMatching(/^wal_[0-9a-z]{16}$/),
      mode: 'live',
      name: 'Ada',
      email: 'ada@example.com',
      phone: '+447700900001',
      locked_until: null,
      erased_at: null,
      balances: [],
      activated: true,
      locale: null,
      mail_receipts: false,
      pin_limits: [],
    }
    const created = { ...data, activation: null }
    expect(body).toEqual({ status: 200, message: 'Wallet created', data: created })
    const TAKEN = invalid(['phone', 'phone belongs to another wallet'])
    const before = await t.database.query('select count(*)::int from wallet')
    for (const again of [
      ADA,
      { ...ADA, phone: '+447700900001', name: 'Eve' },
      { ...ADA, phone: '00447700900001' },
      { ...ADA, mode: 'sandbox' },
    ]) {
      expect(await create(again)).toMatchObject({ status: 400, body: TAKEN })
    }
    expect(await t.database.query('select count(*)::int from wallet')).toEqual(before)
    const read = await t.call('GET', `/operator/wallets/${body.data.wallet_id}`, t.operator)
    expect(read.body).toEqual({ status: 200, message: 'Wallet', data })
  })

  it('only one of several concurrent requests with the same phone number succeeds', async () => {
    const body = { ...ADA, phone: '+447700900099' }
    const responses = await Promise.all(Array.from({ length: 5 }, () => create(body)))
    expect(responses.map((response) => response.status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  it.each<[string, unknown, string]>([
    ['mode', 'test', 'mode must be one of live, sandbox'],
    ['mode', undefined, 'mode is required'],
    ['name', '', 'name must not be empty'],
    ['name', undefined, 'name is required'],
    ['email', 'ada', 'email must be an email address'],
    ['email', undefined, 'email is required'],
    ['phone', '12345', 'phone must be an international number such as +15550100001'],
    ['phone', '+44 x', 'phone must be an international number such as +15550100001'],
    ['phone', '+1234567890123456', 'phone must be an international number such as +15550100001'],
    ['phone', undefined, 'phone is required'],
    ['pin', '123', 'pin must be 4 to 8 digits'],
    ['pin', '135792468', 'pin must be 4 to 8 digits'],
    ['pin', '1'.repeat(13), 'pin must be 4 to 8 digits'],
    ['pin', '12 34', 'pin must be 4 to 8 digits'],
    ['pin', '١٢٣٤', 'pin must be 4 to 8 digits'],
    ['pin', '1111', WEAK],
    ['pin', '12345678', WEAK],
    ['pin', '4321', WEAK],
    ['pin', '2580', WEAK],
    ['pin', 1234, 'pin must be a string'],
  ])('%s %j is refused', async (field, value, message) => {
    const response = await create({ ...ADA, phone: '+447700900555', [field]: value })
    expect(response.status).toBe(400)
    expect(response.body).toEqual(invalid([field, message]))
  })

  it('all missing fields are reported together', async () => {
    const { body } = await create({})
    expect(body.errors.map(({ field }: { field: string }) => field)).toEqual([
      'mode',
      'name',
      'email',
      'phone',
    ])
  })

  it('a new PIN follows the same rules', async () => {
    const { wallet } = await t.createWallet()
    const url = `/operator/wallets/${wallet.publicId}/pin`
    const refused = await t.call('POST', url, t.operator, { pin: '12' })
    expect(refused.body).toEqual(invalid(['pin', 'pin must be 4 to 8 digits']))
    const weak = await t.call('POST', url, t.operator, { pin: '4444' })
    expect(weak.body).toEqual(invalid(['pin', WEAK]))
    const set = await t.call('POST', url, t.operator, { pin: '4711' })
    expect(set.body).toMatchObject({ status: 200, message: 'PIN set' })
    const signIn = await t.call('POST', '/wallet/session', {}, { phone: wallet.phone, pin: '4711' })
    expect(signIn.status).toBe(200)
  })

  it('a new PIN ends a lock after wrong PINs, but not a lock by an operator', async () => {
    const { wallet } = await t.createWallet()
    const signIn = async (pin: string) =>
      (await t.call('POST', '/wallet/session', {}, { phone: wallet.phone, pin })).status
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push(await signIn('0000'))
    expect(statuses.at(-1)).toBe(403)
    const url = `/operator/wallets/${wallet.publicId}`
    const set = async (pin: string) =>
      (await t.call('POST', `${url}/pin`, t.operator, { pin })).body
    expect((await set('4711')).data.locked_until).toBeNull()
    expect(await signIn('4711')).toBe(200)
    await t.call('POST', `${url}/lock`, t.operator)
    expect((await set('4712')).data.locked_until).not.toBeNull()
    expect(await signIn('4712')).toBe(403)
  })

  it('are listed in pages with their balances', async () => {
    await t.createWallet({ balance: '5.00' })
    const all = (await t.call('GET', '/operator/wallets?limit=100', t.operator)).body.data
    expect(all.next_cursor).toBeNull()
    expect(all.wallets.at(-1).balances).toEqual([{ currency: 'USD', balance: '5.00' }])
    const paged: unknown[] = []
    let cursor: string | null = ''
    while (cursor !== null) {
      const next: string = cursor === '' ? '' : `&cursor=${cursor}`
      const response = await t.call('GET', `/operator/wallets?limit=2${next}`, t.operator)
      paged.push(...response.body.data.wallets)
      cursor = response.body.data.next_cursor
    }
    expect(paged).toEqual(all.wallets)
  })

  it('with numbers of ten digits are listed in pages', async () => {
    await t.database.query(`select setval('wallet_number', 1000000000)`)
    const { wallet: first } = await t.createWallet()
    const { wallet: second } = await t.createWallet()
    const list = async (cursor: number | string) =>
      (await t.call('GET', `/operator/wallets?limit=1&cursor=${cursor}`, t.operator)).body
    const page = (await list(first.walletId - 1)).data
    expect(page.wallets).toMatchObject([{ id: first.walletId }])
    expect(page.next_cursor).toBe(String(first.walletId))
    expect((await list(page.next_cursor)).data.wallets).toMatchObject([{ id: second.walletId }])
    expect(await list(2_147_483_648)).toEqual(
      invalid(['cursor', 'cursor must be the next_cursor of a page']),
    )
  })

  it('with unknown ids are refused, even if only the random part is wrong', async () => {
    const { wallet } = await t.createWallet()
    const last = wallet.publicId.at(-1) === '0' ? '1' : '0'
    const similarId = wallet.publicId.slice(0, -1) + last
    for (const id of [similarId, 'x', '%00', '1', 'wal_0000000000000000']) {
      const url = `/operator/wallets/${id}`
      const responses = [await t.call('GET', url, t.operator)]
      for (const act of ['top-up', 'withdraw', 'unlock', 'pin']) {
        responses.push(await t.call('POST', `${url}/${act}`, t.operator, {}))
      }
      for (const response of responses) {
        expect(response).toMatchObject({ status: 404, body: WALLET_UNKNOWN })
      }
    }
  })
})
