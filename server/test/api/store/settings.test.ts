import { crc32 } from 'node:zlib'
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { localDay } from '../../../src/core/calendar.ts'
import type { Database } from '../../../src/database/database.ts'
import { changePerson } from '../../../src/ops/people.ts'
import { lockAccount } from '../../../src/sql/locks.ts'
import { slowJpeg } from '../../hostile/pictures.ts'
import { invalid, refusal } from '../../setup/expected.ts'
import { createPerson, type TestPerson } from '../../setup/people.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let other: TestStore
let owner: TestPerson
beforeAll(async () => {
  t = await startTestService({}, { limitsWaits: true })
  shop = await t.createStore({ feeBps: 100, dailyLimitMinor: 100_000n })
  other = await t.createStore()
  owner = await createPerson(t, shop.store, 'owner')
})
afterAll(() => t.close())

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT'
const call = (method: Method, path: string, body?: unknown, headers: Headers = owner.headers) =>
  t.call(method, `/store/${path}`, headers, body)

describe('settings', () => {
  it("show the operator's settings, and let the owner change the others", async () => {
    const before = (await call('GET', 'settings')).body.data
    expect(before).toMatchObject({ fee_bps: 100, daily_limit: '1000.00', own_logo: false })
    const changes = {
      name: 'Corner Shop',
      domain: 'shop.example',
      email: 'a@shop.example',
      phone: '1',
      time_zone: 'Africa/Abidjan',
      unique_references: true,
      expires_after_seconds: 120,
      refund_cap_manager: '50.00',
      refund_cap_cashier: null,
      embed_origins: ['https://shop.example'],
    }
    const after = (await call('PATCH', 'settings', changes)).body.data
    expect(after).toEqual({ ...before, ...changes })
    expect((await call('GET', 'settings')).body.data).toEqual(after)
    const url = `/operator/audit-log?subject=store:${shop.store.storeId}&limit=1`
    expect((await t.call('GET', url, t.operator)).body.data.entries[0]).toMatchObject({
      actor: `${owner.email} (store ${shop.store.storeId})`,
      action: 'store.change',
      before: { name: 'Test Store' },
      after: { name: 'Corner Shop' },
    })
  })

  it('of the operator are refused, and nothing is changed', async () => {
    const response = await call('PATCH', 'settings', {
      name: 'Another',
      fee_bps: 0,
      suspended: false,
      currency: 'EUR',
      daily_limit: null,
    })
    expect(response.body).toEqual(
      invalid(
        ...(['fee_bps', 'suspended', 'currency', 'daily_limit'] as const).map(
          (field) => [field, `${field} is set by the operator`] as const,
        ),
      ),
    )
    expect((await call('PATCH', 'settings', { time_zone: '+02:00' })).status).toBe(400)
    expect((await call('GET', 'settings')).body.data.name).toBe('Corner Shop')
  })

  it('ignore unknown fields, also if every object inherits the name', async () => {
    const response = await call('PATCH', 'settings', { phone: '2', other: 1, toString: 1 })
    expect(response.body.data).toMatchObject({ name: 'Corner Shop', phone: '2' })
  })
})

describe('time zone', () => {
  it('changes only while it is the same day in both zones, because otherwise the daily limit could be used twice', async () => {
    const dayIn = (timeZone: string) => localDay(new Date(), timeZone)
    const current = (await call('GET', 'settings')).body.data.time_zone as string
    // These zones are 26 hours apart, so one of them always has another day than the store.
    const distant = ['Pacific/Kiritimati', 'Etc/GMT+12'].find(
      (zone) => dayIn(zone) !== dayIn(current),
    )
    const { status, body } = await call('PATCH', 'settings', { time_zone: distant })
    expect([status, body.errors[0].field]).toEqual([400, 'time_zone'])
    expect(dayIn('Etc/GMT')).toBe(dayIn(current))
    expect((await call('PATCH', 'settings', { time_zone: 'Etc/GMT' })).status).toBe(200)
    expect((await call('PATCH', 'settings', { time_zone: current })).status).toBe(200)
  })
})

describe('logo', () => {
  const upload = (bytes: Buffer, type = 'image/png') =>
    call('PUT', 'logo', bytes, { ...owner.headers, 'content-type': type })
  const pixels = (width: number, height: number) => {
    const png = new PNG({ width, height })
    png.data.fill(0x7f)
    return png
  }
  /** Adds a text chunk, as drawing programs do. */
  function withText(png: Buffer): Buffer {
    const length = Buffer.from([0, 0, 0, 12])
    const text = Buffer.from('tEXtComment\0priv', 'latin1')
    const checksum = Buffer.alloc(4)
    checksum.writeUInt32BE(crc32(text))
    return Buffer.concat([png.subarray(0, 33), length, text, checksum, png.subarray(33)])
  }

  it('is re-encoded, and served under its hash, which the details of a payment contain', async () => {
    const sent = PNG.sync.write(pixels(64, 32))
    const { logo, own_logo } = (await upload(sent)).body.data
    expect(own_logo).toBe(true)
    const path = logo.replace('https://pay.example.com', '')
    expect(path).toMatch(new RegExp(`^/stores/${shop.store.storeId}/logo/[0-9a-f]{32}\\.png$`))
    const served = await t.app.inject({ url: path })
    expect(served.headers).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
    expect(PNG.sync.read(served.rawPayload)).toMatchObject({ width: 64, height: 32 })
    const { payment_id } = await t.createPayment(shop.live)
    const details = await t.call('GET', `/merchant/payment/${payment_id}`, shop.live)
    expect(details.body.data.store.logo).toBe(logo)

    const { data } = jpeg.encode(pixels(20, 20), 80)
    const second = (await upload(data, 'image/jpeg')).body.data.logo
    expect(second).not.toBe(logo)
    const oldLogo = await t.app.inject({ url: path })
    expect(PNG.sync.read(oldLogo.rawPayload)).toMatchObject({ width: 20, height: 20 })
    expect(oldLogo.headers['cache-control']).toBe('public, max-age=3600')
    expect((await call('DELETE', 'logo')).body.data).toMatchObject({ own_logo: false })
    const removedLogo = await t.app.inject({ url: path })
    expect(removedLogo.headers['content-type']).toBe('image/svg+xml')
  })

  it('keeps only its pixels', async () => {
    const sent = withText(PNG.sync.write(pixels(8, 8)))
    const { logo } = (await upload(sent)).body.data
    const served = await t.app.inject({ url: new URL(logo).pathname })
    expect(PNG.sync.read(served.rawPayload)).toMatchObject({ width: 8, height: 8 })
    expect(served.rawPayload.includes('priv')).toBe(false)
  })

  it('is refused if it cannot be read, is not a PNG or JPEG picture, or is too large', async () => {
    const unreadable = refusal(400, 'This picture cannot be read')
    const wrongType = refusal(415, 'A logo must be a PNG or JPEG picture')
    const large = refusal(400, 'A logo must be at most 512 pixels wide and high')
    const good = PNG.sync.write(pixels(64, 64))
    const bomb = Buffer.from(good)
    bomb.writeUInt32BE(60_000, 16)
    const interlaced = Buffer.from(good)
    interlaced[28] = 1
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')
    expect((await upload(svg)).body).toEqual(wrongType)
    expect((await upload(svg, 'image/svg+xml')).status).toBe(415)
    expect((await upload(Buffer.alloc(0))).body).toEqual(wrongType)
    expect((await upload(bomb)).body).toEqual(large)
    expect((await upload(PNG.sync.write(pixels(513, 1)))).body).toEqual(large)
    expect((await upload(interlaced)).body).toEqual(unreadable)
    // The first header is small, but a decoder would use the second one.
    const second = PNG.sync.write(pixels(1200, 900)).subarray(8, 33)
    const twoHeaders = Buffer.concat([good.subarray(0, 33), second, good.subarray(33)])
    expect((await upload(twoHeaders)).body).toEqual(unreadable)
    expect((await upload(good.subarray(0, 60))).body).toEqual(unreadable)
    const { data } = jpeg.encode(pixels(20, 20), 80)
    expect((await upload(data.subarray(0, 30), 'image/jpeg')).body).toEqual(unreadable)
    // A small file that takes a decoder a long time.
    expect((await upload(slowJpeg(), 'image/jpeg')).body).toEqual(unreadable)
    expect((await upload(Buffer.alloc(300_000))).status).toBe(413)
  })
})

describe('people', () => {
  const list = async () => (await call('GET', 'people')).body.data.people
  let personCount = 0
  const add = async (role: string) =>
    (await call('POST', 'people', { email: `new${++personCount}@shop.example`, name: 'Bo', role }))
      .body.data

  it('are managed by the owner, who adds, changes and disables them, and resets passwords', async () => {
    const created = await add('cashier')
    expect(created.password).toMatch(/^\w{4}(-\w{4}){3}$/)
    const path = `people/${created.person_id}`
    expect((await call('PATCH', path, { role: 'manager', name: 'Cy' })).body.data).toMatchObject({
      role: 'manager',
      name: 'Cy',
    })
    const signIn = async (password: string) =>
      (await t.call('POST', '/store/session', {}, { email: created.email, password })).status
    expect(await signIn(created.password)).toBe(200)
    const reset = (await call('POST', `${path}/password`)).body.data
    expect([await signIn(created.password), await signIn(reset.password)]).toEqual([401, 200])
    expect((await call('PATCH', path, { disabled: true })).body.data.disabled_at).not.toBeNull()
    expect(await signIn(reset.password)).toBe(401)
    expect((await list()).map((person: { email: string }) => person.email)).toContain(created.email)
  })

  it('of another store are unknown', async () => {
    const stranger = await createPerson(t, other.store, 'manager')
    const unknown = refusal(404, 'Person not found')
    expect((await call('PATCH', `people/${stranger.personId}`, { role: 'viewer' })).body).toEqual(
      unknown,
    )
    expect((await call('POST', `people/${stranger.personId}/password`)).body).toEqual(unknown)
    expect(JSON.stringify(await list())).not.toContain(stranger.email)
  })

  const isLockAwaited = async () => {
    const waiting = await t.database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return waiting.length > 0
  }

  it('cannot be changed while another transaction locks their account, but the settings of the store can', async () => {
    const { person_id } = await add('cashier')
    const responses = await t.database.transaction(async (tx) => {
      await lockAccount(tx, person_id)
      let isOver = false
      const change = call('PATCH', `people/${person_id}`, { name: 'Di' }).finally(() => {
        isOver = true
      })
      // On a slow machine, the wait of two seconds may be over before it is seen.
      const hasWaited = async () => isOver || (await isLockAwaited())
      await expect.poll(hasWaited, { timeout: 10_000 }).toBe(true)
      return Promise.all([change, call('PATCH', 'settings', { phone: '2' })])
    })
    expect(responses.map(({ status }) => status)).toEqual([503, 200])
  })

  it('do not delay payments while a change waits for the lock of their account', async () => {
    const { person_id } = await add('cashier')
    // The change waits for the account for as long as the test holds it.
    const database: Database = {
      ...t.database,
      transaction: (work) =>
        t.database.transaction(async (tx) => {
          await tx.execute('set local lock_timeout = 0')
          return work(tx)
        }),
    }
    const actor = { name: 'test', requestId: null }
    const person = { personId: person_id, name: 'Di' }
    const { change } = await t.database.transaction(async (tx) => {
      await lockAccount(tx, person_id)
      const change = changePerson(database, actor, person, shop.store.storeId)
      await expect.poll(isLockAwaited, { timeout: 10_000 }).toBe(true)
      const body = { amount: 1, currency: 'USD' }
      const created = await t.call('POST', '/merchant/payment/create', shop.live, body)
      expect(created.status).toBe(200)
      return { change }
    })
    expect(await change).toMatchObject({ name: 'Di' })
  })

  it('always include an owner who can sign in, even when two owners act concurrently', async () => {
    const last = refusal(
      409,
      'A store needs an owner who can sign in. Make another person an owner first.',
    )
    const invited = await createPerson(t, shop.store, 'owner')
    await t.database.query('update person set invited_at = now() where person_id = $1', [
      invited.personId,
    ])
    expect((await call('PATCH', `people/${owner.personId}`, { role: 'viewer' })).body).toEqual(last)
    expect((await call('PATCH', `people/${owner.personId}`, { disabled: true })).body).toEqual(last)
    const second = await createPerson(t, shop.store, 'owner')
    expect((await call('POST', `people/${second.personId}/password`)).body).toEqual(
      refusal(409, 'Only the operator can reset the password of an owner'),
    )
    expect((await call('PATCH', `people/${second.personId}`, { role: 'cashier' })).body).toEqual(
      refusal(409, 'Only the operator can change the role of an owner'),
    )
    const responses = await Promise.all([
      call('PATCH', `people/${second.personId}`, { disabled: true }),
      call('PATCH', `people/${owner.personId}`, { disabled: true }, second.headers),
    ])
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})
