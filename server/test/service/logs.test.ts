import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../../src/open.ts'
import { startLogged } from '../setup/logged.ts'
import { startTestService, type TestService } from '../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

const PIN = '73915824'
const parseLines = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

describe('the log', () => {
  it('redacts fields with the name of a secret', () => {
    let written = ''
    const write = (line: string) => {
      written += line
    }
    const log = createLog('info', { write })
    const pair = { 'api-key': 'hide-me', 'api-secret': 'hide-me', pin: 'hide-me' }
    log.info({ body: { password: 'hide-me', current: 'hide-me', new: 'hide-me' } }, 'x')
    log.info({ ...pair, headers: { ...pair, authorization: 'hide-me', cookie: 'hide-me' } }, 'x')
    log.info({ request: { headers: pair, body: { token: 'hide-me', api_secret: 'hide-me' } } }, 'x')
    expect(written).toContain('[hidden]')
    expect(written).not.toContain('hide-me')
  })

  it('has a line per request and none of its secrets', async () => {
    const logged = await startLogged(t)
    const { app, token } = logged
    const operator = { authorization: `Bearer ${token}` }
    const secrets = [token, PIN]
    const call = async (
      method: 'GET' | 'POST' | 'DELETE',
      url: string,
      headers = {},
      payload?: object,
    ) => (await app.inject({ method, url, headers, ...(payload ? { payload } : {}) })).json().data
    const store = await call('POST', '/operator/stores', operator, { name: 'S', currency: 'USD' })
    const issued = await call('POST', `/operator/stores/${store.id}/credentials`, operator, {
      mode: 'live',
    })
    const rotated = await call('POST', `/operator/credentials/${issued.api_key}/rotate`, operator)
    const other = await call('POST', '/operator/tokens', operator, {
      label: 'night',
      scopes: ['admin'],
    })
    const phone = '+447700900321'
    await call('POST', '/operator/wallets', operator, {
      mode: 'live',
      name: 'Ada',
      email: 'ada@example.com',
      phone,
      pin: PIN,
    })
    const session = await call('POST', '/wallet/session', {}, { phone, pin: PIN })
    const email = 'owner@shop.example'
    const owner = { email, name: 'Bo', role: 'owner' }
    const person = await call('POST', `/operator/stores/${store.id}/people`, operator, owner)
    const signedIn = await app.inject({
      method: 'POST',
      url: '/store/session',
      payload: { email, password: person.password },
    })
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!
    const sessionHeaders = { cookie, origin: 'https://pay.example.com' }
    const passwords = { current: person.password, new: 'my own new password' }
    await call('POST', '/store/password', sessionHeaders, passwords)
    await call('POST', '/store/password', sessionHeaders, {
      current: 'guessed-secret',
      new: 'guessed-token',
    })
    await call('POST', '/store/session', {}, { email, password: 'guessed-secret' })
    secrets.push(cookie.split('=')[1]!, person.password, passwords.new)
    secrets.push(
      issued.api_secret,
      rotated.api_secret,
      issued.webhook_secret,
      other.token,
      session.token,
    )
    const keys = { 'api-key': issued.api_key, 'api-secret': rotated.api_secret }
    const wrong = { 'api-key': issued.api_key, 'api-secret': 'fls_live_guessed-secret' }
    secrets.push('guessed-secret', 'guessed-token', '99887766')
    const payment = await call(
      'POST',
      '/merchant/payment/create',
      { ...keys, cookie: 'c=guessed-secret' },
      {
        amount: 1,
        currency: 'USD',
      },
    )
    await call('GET', `/merchant/payment/${payment.payment_id}?api-secret=guessed-secret`, keys)
    await call('GET', '/merchant/store', wrong)
    await call('GET', '/wallet/me', { authorization: `Bearer ${session.token}` })
    await call('GET', '/wallet/me', { authorization: 'Bearer guessed-token' })
    await call('GET', '/operator/rates', { authorization: 'Bearer guessed-token' })
    await call('POST', '/wallet/session', {}, { phone, pin: '99887766' })
    await logged.close()

    const lines = parseLines(logged.read())
    expect(lines.filter((line) => line.msg === 'request completed')).toHaveLength(18)
    expect(lines.find((line) => line.route === '/merchant/payment/create')).toMatchObject({
      method: 'POST',
      status: 200,
      requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    for (const secret of secrets) expect(logged.read()).not.toContain(secret)
    expect(logged.read()).not.toMatch(/argon2|whsec_|ada@example|owner@shop|\+44/)
  })

  it('reports an error with its request, without secrets', async () => {
    const { live } = await t.createStore()
    const logged = await startLogged(t)
    const { service } = logged
    const fail = () => {
      throw new Error('an internal fault')
    }
    Object.assign(service, { createPayment: fail })
    const create = await logged.app.inject({
      method: 'POST',
      url: '/merchant/payment/create',
      headers: { ...live, 'idempotency-key': 'my-idempotency-key' },
      payload: { amount: 1, currency: 'USD', reference_note: 'a private note' },
    })
    expect([create.statusCode, create.json()]).toEqual([
      500,
      { status: 500, message: 'Internal error' },
    ])
    await logged.close()
    const lines = parseLines(logged.read())
    const logLine = lines.find((line) => line.msg === 'internal error')
    expect(logLine.err.message).toBe('an internal fault')
    expect(logLine.requestId).toBe(create.headers['x-request-id'])
    for (const secret of [live['api-secret']!, 'a private note', 'my-idempotency-key']) {
      expect(logged.read()).not.toContain(secret)
    }
  })

  it('reports an unavailable database without its password', async () => {
    const logged = await startLogged(t, 'postgres://florin:database-password@127.0.0.1:1/florin')
    const response = await logged.app.inject({
      method: 'POST',
      url: '/wallet/session',
      payload: { phone: '+15550001111', pin: PIN },
    })
    expect(response.statusCode).toBe(503)
    await logged.close()
    expect(logged.read()).toContain('database unavailable')
    expect(logged.read()).not.toMatch(/database-password|73915824|\+1555/)
  })

  it('reports a request that the database refuses, without the values of its rows', async () => {
    const logged = await startLogged(t)
    const operator = { authorization: `Bearer ${logged.token}` }
    const { wallet } = await t.createWallet()
    await t.database.transaction((tx) =>
      tx.execute(
        `alter table wallet add constraint no_new_pins check (pin_hash is null) not valid`,
      ),
    )
    const response = await logged.app.inject({
      method: 'POST',
      url: `/operator/wallets/${wallet.publicId}/pin`,
      headers: operator,
      payload: { pin: PIN },
    })
    await t.database.transaction((tx) =>
      tx.execute('alter table wallet drop constraint no_new_pins'),
    )
    await logged.close()
    expect([response.statusCode, response.json()]).toEqual([
      500,
      { status: 500, message: 'Internal error' },
    ])
    expect(logged.read()).toContain('no_new_pins')
    expect(logged.read()).not.toMatch(/argon2|73915824/)
    expect(logged.read()).not.toContain(wallet.email)
  })
})

it('logs selected fields of an error, without attached objects', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const error = Object.assign(new Error('connection lost'), {
    code: '57P01',
    detail: 'Failing row contains (Ada)',
    client: { secretKey: 271828, connectionParameters: { user: 'florin' } },
  })
  log.warn({ err: error }, 'lost')
  const { err } = JSON.parse(lines[0]!)
  expect(Object.keys(err).sort()).toEqual(['code', 'message', 'stack', 'type'])
  expect(lines[0]).not.toMatch(/271828|Ada/)
})
