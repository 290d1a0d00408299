import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { invalid, refusal } from '../../setup/expected.ts'
import { mailsTo, WITH_MAIL } from '../../setup/mails.ts'
import { eventKindsOf } from '../../setup/securityEvents.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

const PIN = '246810'
const DONE = {
  status: 200,
  message: 'If this address can get mail, a code is on its way',
  data: null,
}
const WRONG = refusal(401, 'Wrong activation code, or it has expired. Ask for a new one.')

let t: TestService
beforeAll(async () => {
  t = await startTestService({
    ...WITH_MAIL,
    FLORIN_WALLET_SIGNUP: 'email',
    FLORIN_TRUST_PROXY: '1',
  })
})
afterEach(() => void vi.restoreAllMocks())
afterAll(() => t.close())

let signUpCount = 0
/** By default, each request comes from another network, so that only the tested limit applies. */
function signUp(body: object, address = `203.${++signUpCount % 250}.${signUpCount >> 8}.1`) {
  const person = { name: 'Bo', email: 'bo@example.com', phone: '+447700900100', ...body }
  return t.call('POST', '/wallet/signup', { 'x-forwarded-for': address }, person)
}
const activate = (code: unknown) => t.call('POST', '/wallet/activate', {}, { code, pin: PIN })
const codesOf = async (email: string) => (await mailsTo(t, email)).map(({ code }) => code)
const countWallets = async () =>
  (await t.database.query<{ n: number }>('select count(*)::int as n from wallet'))[0]!.n
/** Stops the clock: limits refill over time, so results would depend on the speed of the machine. */
const stopClock = () => vi.spyOn(performance, 'now').mockReturnValue(performance.now())

it('emails a code, and creates the wallet when the code and a PIN are sent', async () => {
  const before = await countWallets()
  const person = { email: 'Cy@Example.com', phone: '+44 7700 900 101', name: 'Cy', locale: 'es' }
  expect((await signUp(person)).body).toEqual(DONE)
  expect(await countWallets()).toBe(before)
  const mails = await mailsTo(t, 'cy@example.com')
  const code = mails[0]!.code!
  const url = `https://pay.example.com/wallet#activate/${code}`
  expect(mails).toEqual([{ locale: 'es', template: 'wallet_signup', name: 'Cy', code, url }])
  const stored = await t.database.query('select s::text as row from wallet_signup s')
  expect(stored).toHaveLength(1)
  expect(JSON.stringify(stored)).not.toContain(code.replaceAll('-', ''))

  const opened = await activate(code)
  expect(opened.body).toMatchObject({
    status: 200,
    message: 'Signed in',
    data: {
      token: expect.stringMatching(/^flw_/),
      wallet: {
        mode: 'live',
        name: 'Cy',
        email: 'cy@example.com',
        phone: '+447700900101',
        activated: true,
        locale: 'es',
        balances: [],
      },
    },
  })
  expect(await countWallets()).toBe(before + 1)
  expect((await activate(code)).body).toEqual(WRONG)
  const credentials = { phone: '+447700900101', pin: PIN }
  expect((await t.call('POST', '/wallet/session', {}, credentials)).status).toBe(200)
  const { wallet_id: id } = opened.body.data.wallet
  expect((await eventKindsOf(t, id)).slice(0, 2)).toEqual(['wallet_activated', 'sign_in'])
  const headers = { authorization: `Bearer ${opened.body.data.token}` }
  const { events } = (await t.call('GET', '/wallet/security-events', headers)).body.data
  expect(events.at(-1)).toMatchObject({ kind: 'wallet_activated', is_own: true })
  const log = await t.call('GET', `/operator/audit-log?subject=wallet:${id}`, t.operator)
  expect(log.body.data.entries.at(-1)).toMatchObject({ actor: 'sign-up', action: 'wallet.create' })
})

it('responds the same for a phone number that is taken, and refuses it when the code is sent', async () => {
  const taken = { mode: 'live', name: 'Di', email: 'di@example.com', phone: '+447700900102' }
  await t.call('POST', '/operator/wallets', t.operator, { ...taken, pin: PIN })
  const before = await countWallets()
  const responses = [
    await signUp({ email: 'eve@example.com', phone: taken.phone }),
    await signUp({ email: taken.email, phone: '+447700900103' }),
    await signUp({ email: 'new@example.com', phone: '+447700900104' }),
  ]
  expect(responses.map(({ text }) => text)).toEqual(responses.map(() => JSON.stringify(DONE)))
  const [code] = await codesOf('eve@example.com')
  const refused = refusal(
    409,
    'This phone number belongs to another wallet. Sign in, or use another number.',
  )
  expect(await activate(code)).toMatchObject({ status: 409, body: refused })
  expect(await countWallets()).toBe(before)
})

it('sends at most three emails an hour to an address, with the same response', async () => {
  const email = 'flood@example.com'
  const phones = Array.from({ length: 8 }, (_, n) => `+4477009002${String(n).padStart(2, '0')}`)
  const responses = await Promise.all(phones.map((phone) => signUp({ email, phone })))
  expect(responses.map(({ body }) => body)).toEqual(responses.map(() => DONE))
  expect(await codesOf(email)).toHaveLength(3)
  await t.database.transaction((tx) =>
    tx.execute(
      `update wallet_signup set created_at = created_at - interval '61 minutes' where email = $1`,
      [email],
    ),
  )
  await signUp({ email, phone: phones[0]! })
  expect(await codesOf(email)).toHaveLength(4)
})

it('opens one wallet for concurrent requests with two codes for one number', async () => {
  const phone = '+447700900300'
  await signUp({ email: 'one@example.com', phone })
  await signUp({ email: 'two@example.com', phone })
  const codes = [...(await codesOf('one@example.com')), ...(await codesOf('two@example.com'))]
  const tries = [...codes, ...codes, ...codes, ...codes]
  const statuses = (await Promise.all(tries.map(activate))).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(new Set(statuses)).toEqual(new Set([200, 401, 409]))
  const rows = await t.database.query('select 1 from wallet where phone = $1', [phone])
  expect(rows).toHaveLength(1)
})

it('a code expires after an hour', async () => {
  await signUp({ email: 'late@example.com', phone: '+447700900400' })
  const [signup] = await t.database.query<{ minutes: number }>(
    `select (extract(epoch from expires_at - created_at) / 60)::int as minutes
     from wallet_signup
     where email = 'late@example.com'`,
  )
  expect(signup!.minutes).toBe(60)
  await t.database.transaction((tx) =>
    tx.execute(`update wallet_signup set expires_at = now() where email = 'late@example.com'`),
  )
  const [code] = await codesOf('late@example.com')
  expect((await activate(code)).body).toEqual(WRONG)
})

it.each([
  [{ phone: '123' }, 'phone', 'phone must be an international number such as +15550100001'],
  [{ email: 'x' }, 'email', 'email must be an email address'],
  [{ email: 'bo,cy@example.com' }, 'email', 'email must be one email address'],
  [{ name: ' ' }, 'name', 'name must not be empty'],
  [{ name: 'x\0' }, 'name', 'name must not be empty'],
  [{ mode: 'test' }, 'mode', 'mode must be one of live, sandbox'],
  [{ locale: 'xx' }, 'locale', 'locale must be one of'],
])('%j is refused', async (body, field, message) => {
  const response = await signUp(body)
  expect(response.status).toBe(400)
  expect(response.body.errors).toEqual([{ field, message: expect.stringContaining(message) }])
})

it('sign-up is throttled per IP address', async () => {
  stopClock()
  const statuses: number[] = []
  for (let n = 0; n < 8; n++) {
    statuses.push((await signUp({ email: `n${n}@example.com` }, '198.51.100.7')).status)
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
})

it('sign-up is off by default', async () => {
  const withoutSignup = await startTestService(WITH_MAIL)
  const person = { name: 'Bo', email: 'bo@example.com', phone: '+447700900100' }
  expect((await withoutSignup.call('POST', '/wallet/signup', {}, person)).body).toEqual(
    refusal(403, 'This service does not let people open wallets themselves. Ask its operator.'),
  )
  expect(await withoutSignup.database.query('select 1 from wallet_signup')).toEqual([])
  expect((await withoutSignup.call('POST', '/wallet/signup', {}, {})).body).toEqual(
    invalid(
      ['name', 'name is required'],
      ['email', 'email is required'],
      ['phone', 'phone is required'],
    ),
  )
  await withoutSignup.close()
})

it("a few networks can't use up the sign-ups of all others", async () => {
  stopClock()
  const flood = Array.from({ length: 300 }, (_, n) =>
    signUp({ email: `flood${n}@example.com` }, `192.0.${n % 15}.${n % 7}`),
  )
  const statuses = (await Promise.all(flood)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(100)
  expect((await signUp({ email: 'fresh@example.com' }, '198.18.0.1')).status).toBe(200)
  expect((await signUp({ email: 'flood@example.com' }, '192.0.1.200')).status).toBe(429)
})
