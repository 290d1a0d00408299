import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { linkTokenOf, type MailServer, mailSettings, startMailServer } from '../setup/mailServer.ts'
import { createOperator } from '../setup/operators.ts'
import { createPerson, newSession, PASSWORD } from '../setup/people.ts'
import { startTestService, type TestService, type TestStore } from '../setup/testService.ts'

let server: MailServer
let t: TestService
let shop: TestStore
beforeAll(async () => {
  server = await startMailServer()
  t = await startTestService({ ...mailSettings(server), FLORIN_TRUST_PROXY: '1' })
  t.service.mailSender!.start()
  shop = await t.createStore({ name: 'Corner Café' })
})
afterAll(async () => {
  await t.service.mailSender!.stop()
  await t.close()
  await server.close()
})

let addressCount = 0
/** The header of a new address for each request, because requests are throttled per address. */
const newAddressHeader = () => ({
  'x-forwarded-for': `10.0.${++addressCount >> 8}.${addressCount % 256}`,
})

const NEW_PASSWORD = 'a fresh password 42'
const GONE = {
  status: 410,
  message: 'This link has expired or was already used. Ask for a new one.',
}
const FORGOT = {
  status: 200,
  message: 'If the address belongs to an account, an email is on its way',
  data: null,
}

/** Waits until this many emails with such a text have arrived at an address, and returns the last one. */
async function waitForMail(email: string, text: RegExp, count = 1) {
  const matching = () =>
    server.received.filter(({ to, parsed }) => to.includes(email) && text.test(parsed.text ?? ''))
  await expect.poll(() => matching().length).toBe(count)
  return matching().at(-1)!
}
const LINK = /#(?:invitation|reset)\//
const waitForLink = (email: string, count = 1) => waitForMail(email, LINK, count)

/** People and operators, with the endpoints of each. */
const KINDS = [
  {
    kind: 'person',
    base: '/store',
    // Of a cashier. Other people get the dashboard.
    page: 'till',
    add: (body: object) =>
      t.call('POST', `/operator/stores/${shop.store.storeId}/people`, t.operator, {
        role: 'cashier',
        ...body,
      }),
    idOf: (data: Record<string, string>) => data.person_id!,
    pathOf: (id: string) => `/operator/people/${id}`,
    create: async () => {
      const { personId: id, email, headers } = await createPerson(t, shop.store, 'cashier')
      return { id, email, headers }
    },
  },
  {
    kind: 'operator',
    base: '/operator',
    page: 'operator',
    add: (body: object) =>
      t.call('POST', '/operator/operators', t.operator, { role: 'support', ...body }),
    idOf: (data: Record<string, string>) => data.operator_id!,
    pathOf: (id: string) => `/operator/operators/${id}`,
    create: async () => {
      const { operatorId: id, email, headers } = await createOperator(t)
      return { id, email, headers }
    },
  },
] as const

describe.each(KINDS)(
  'password links ($kind)',
  ({ kind, base, page, add, idOf, pathOf, create }) => {
    const forgot = (email: string) =>
      t.call('POST', `${base}/password/forgot`, newAddressHeader(), { email })
    const getLink = (token: string) =>
      t.call('POST', `${base}/password/link`, newAddressHeader(), { token })
    const reset = (token: string, password = NEW_PASSWORD) =>
      t.call('POST', `${base}/password/reset`, newAddressHeader(), { token, new: password })
    const signIn = (email: string, password: string) =>
      t.call('POST', `${base}/session`, {}, { email, password })

    it('invite by email, and set a password once', async () => {
      const email = `invited@${kind}.example`
      const added = await add({ email, name: 'Grace Hopper', locale: 'fr' })
      expect(added.status).toBe(200)
      expect(added.body.data).not.toHaveProperty('password')
      expect(added.body.data.invited_at).toMatch(/^\d{4}-/)

      const mail = await waitForLink(email)
      expect(mail.to).toEqual([email])
      expect(mail.parsed.text).toContain('Choisir un mot de passe')
      expect(mail.parsed.text).toContain(`https://pay.example.com/${page}#invitation/fll_`)
      const token = linkTokenOf(mail)
      expect((await getLink(token)).body).toEqual({
        status: 200,
        message: 'Link',
        data: {
          purpose: 'invitation',
          email,
          name: 'Grace Hopper',
          expires_at: expect.stringMatching(/^\d{4}-/),
        },
      })
      expect((await reset(token)).body).toEqual({
        status: 200,
        message: 'Password set',
        data: { email },
      })
      expect((await reset(token)).body).toEqual(GONE)
      expect((await getLink(token)).body).toEqual(GONE)
      expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
      const again = await t.call(
        'POST',
        `${pathOf(idOf(added.body.data))}/invitation`,
        t.operator,
        {},
      )
      expect(again.body).toEqual({
        status: 409,
        message: 'There is no open invitation. Use a password reset instead.',
      })
    })

    it('are replaced on request, which ends the earlier link', async () => {
      const email = `twice@${kind}.example`
      const added = await add({ email, name: 'Grace' })
      const first = linkTokenOf(await waitForLink(email))
      const path = `${pathOf(idOf(added.body.data))}/invitation`
      const resent = await t.call('POST', path, t.operator, {})
      expect([resent.status, resent.body.message]).toEqual([200, 'Invitation sent'])
      const second = linkTokenOf(await waitForLink(email, 2))
      expect((await reset(first)).body).toEqual(GONE)
      expect((await reset(second)).status).toBe(200)
    })

    it('end when an operator resets the password, and the account is no longer invited', async () => {
      const email = `reset@${kind}.example`
      const added = await add({ email, name: 'Grace' })
      const token = linkTokenOf(await waitForLink(email))
      const path = `${pathOf(idOf(added.body.data))}/password`
      const { body } = await t.call('POST', path, t.operator, {})
      expect(body.data).toMatchObject({ invited_at: null, password: expect.any(String) })
      expect((await getLink(token)).body).toEqual(GONE)
      expect((await signIn(email, body.data.password)).status).toBe(200)
    })

    it('are not sent to an account with a password, or to an address to which no email can be sent', async () => {
      const withPassword = await add({
        email: `given@${kind}.example`,
        name: 'Grace',
        password: NEW_PASSWORD,
      })
      expect(withPassword.body.data).toMatchObject({ invited_at: null })
      const unreachable = await add({ email: `a,b@${kind}.example`, name: 'Grace' })
      expect(unreachable.body.data).toMatchObject({
        invited_at: null,
        password: expect.any(String),
      })
      expect((await signIn(`given@${kind}.example`, NEW_PASSWORD)).status).toBe(200)
      const mails = await t.database.query(
        `select 1 from mail where recipient in ('given@${kind}.example', 'a,b@${kind}.example')`,
      )
      expect(mails).toEqual([])
    })

    it('reset a forgotten password, which ends an open session', async () => {
      const { id, email, headers } = await create()
      expect((await forgot(email.toUpperCase())).body).toEqual(FORGOT)
      const mail = await waitForLink(email)
      expect(mail.parsed.text).toContain(`https://pay.example.com/${page}#reset/fll_`)
      expect((await signIn(email, PASSWORD)).status).toBe(200)

      const short = await reset(linkTokenOf(mail), 'short')
      expect(short.body).toEqual({
        status: 400,
        message: 'Validation error',
        errors: [{ field: 'new', message: 'new must have at least 10 characters' }],
      })
      expect((await reset(linkTokenOf(mail))).status).toBe(200)
      expect((await t.call('GET', `${base}/session`, headers)).status).toBe(401)
      expect((await signIn(email, PASSWORD)).status).toBe(401)
      expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
      await waitForMail(email, /The password of your account was changed\./)

      const events = await t.database.query<{ kind: string }>(
        'select kind from security_event where account_id = $1 order by at',
        [id],
      )
      expect(events.map((event) => event.kind)).toEqual(
        expect.arrayContaining(['password_reset_requested', 'password_reset']),
      )
      const log = await t.database.query<{ action: string }>(
        'select action from audit_log where subject = $1',
        [`${kind}:${id}`],
      )
      expect(log).toEqual([{ action: `${kind}.password` }])
    })

    it('of an invitation stay valid if anyone asks for a new password, until one is chosen', async () => {
      const email = `patient@${kind}.example`
      await add({ email, name: 'Grace Hopper' })
      const invitation = linkTokenOf(await waitForLink(email))
      await forgot(email)
      const first = linkTokenOf(await waitForLink(email, 2))
      await forgot(email)
      const second = linkTokenOf(await waitForLink(email, 3))
      expect((await getLink(first)).body).toEqual(GONE)
      expect((await getLink(invitation)).body.data).toMatchObject({ purpose: 'invitation' })
      expect((await reset(second)).status).toBe(200)
      expect((await reset(invitation)).body).toEqual(GONE)
    })

    it('unlock an account that wrong passwords had locked', async () => {
      const { email } = await create()
      for (let n = 0; n < 6; n++) await signIn(email, 'wrong password')
      expect((await signIn(email, PASSWORD)).status).toBe(403)
      await forgot(email)
      await reset(linkTokenOf(await waitForLink(email)))
      expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
    })

    it('work for one of ten concurrent uses', async () => {
      const { email } = await create()
      await forgot(email)
      const token = linkTokenOf(await waitForLink(email))
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, n) => reset(token, `password number ${n}`)),
      )
      expect(results.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(410)])
    })

    it('end when they expire, when the account is disabled, and with a new password', async () => {
      const expired = await create()
      await forgot(expired.email)
      const oldToken = linkTokenOf(await waitForLink(expired.email))
      await t.database.transaction((tx) =>
        tx.execute('update password_link set expires_at = now() where account_id = $1', [
          expired.id,
        ]),
      )
      expect((await getLink(oldToken)).body).toEqual(GONE)
      expect((await reset(oldToken)).body).toEqual(GONE)

      const disabled = await create()
      await forgot(disabled.email)
      const token = linkTokenOf(await waitForLink(disabled.email))
      await t.call('PATCH', pathOf(disabled.id), t.operator, { disabled: true })
      await t.call('PATCH', pathOf(disabled.id), t.operator, { disabled: false })
      expect((await reset(token)).body).toEqual(GONE)

      const changed = await create()
      await forgot(changed.email)
      const lastToken = linkTokenOf(await waitForLink(changed.email))
      await t.call('POST', `${pathOf(changed.id)}/password`, t.operator, {})
      expect((await reset(lastToken)).body).toEqual(GONE)
    })

    it('are not sent to unknown and disabled accounts and invalid addresses, with the same response', async () => {
      const { id, email } = await create()
      await t.call('PATCH', pathOf(id), t.operator, { disabled: true })
      const addresses = [email, `nobody@${kind}.example`, 'not an address']
      for (const address of addresses) expect((await forgot(address)).body).toEqual(FORGOT)
      for (const address of addresses) {
        const mails = await t.database.query('select 1 from mail where recipient = $1', [address])
        expect(mails).toEqual([])
      }
    })

    it('are sent at most three times an hour', async () => {
      const { email } = await create()
      await Promise.all(Array.from({ length: 6 }, () => forgot(email)))
      const mails = () => t.database.query('select 1 from mail where recipient = $1', [email])
      expect(await mails()).toHaveLength(3)
      await t.database.transaction((tx) =>
        tx.execute(
          `update mail set created_at = created_at - interval '1 hour' where recipient = $1`,
          [email],
        ),
      )
      await forgot(email)
      expect(await mails()).toHaveLength(4)
    })

    it('are throttled by the address of the client', async () => {
      const from = newAddressHeader()
      const send = () => t.call('POST', `${base}/password/forgot`, from, { email: 'x@example.com' })
      const responses = await Promise.all(Array.from({ length: 12 }, send))
      expect(responses.map(({ status }) => status).sort()).toEqual([
        ...Array(10).fill(200),
        429,
        429,
      ])
    })

    it('are refused in cross-origin requests, and for the other kind of account', async () => {
      const otherOrigin = { origin: 'https://evil.example' }
      for (const path of ['forgot', 'link', 'reset']) {
        const response = await t.call('POST', `${base}/password/${path}`, otherOrigin, {})
        expect(response.status).toBe(403)
      }
      const other = KINDS.find((account) => account.kind !== kind)!
      const { email } = await other.create()
      await t.call('POST', `${other.base}/password/forgot`, {}, { email })
      expect((await reset(linkTokenOf(await waitForLink(email)))).body).toEqual(GONE)
    })
  },
)

it('an owner invites and reinvites people of their own store only', async () => {
  const owner = await createPerson(t, shop.store, 'owner')
  const headers = await newSession(t, owner.personId)
  const body = { email: 'team@shop.example', name: 'Team', role: 'viewer' }
  const added = await t.call('POST', '/store/people', headers, body)
  const { text } = (await waitForLink(body.email)).parsed
  expect(text).toContain(`${owner.name} has added you to Corner Café.`)
  expect(text).toContain('https://pay.example.com/dashboard#invitation/fll_')
  const path = `/store/people/${added.body.data.person_id}/invitation`
  expect((await t.call('POST', path, headers, {})).status).toBe(200)
  const other = await t.createStore()
  const stranger = await createPerson(t, other.store, 'owner')
  expect((await t.call('POST', path, stranger.headers, {})).body).toEqual({
    status: 404,
    message: 'Person not found',
  })
})

it('the language of the last sign-in is the language of emails', async () => {
  const { email } = await createPerson(t, shop.store)
  const body = { email, password: PASSWORD, locale: 'es' }
  expect((await t.call('POST', '/store/session', {}, body)).status).toBe(200)
  await t.call('POST', '/store/password/forgot', {}, { email })
  expect((await waitForLink(email)).parsed.subject).toBe('Restablece tu contraseña')
})
