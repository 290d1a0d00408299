import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parseWalletId } from '../../src/core/ids.ts'
import { startLoops } from '../../src/loops.ts'
import { erasePayer } from '../../src/ops/erasure.ts'
import { listErasedWithBalance } from '../../src/sql/erasure.ts'
import { findWallet } from '../../src/sql/wallets.ts'
import { openNode } from '../setup/anotherNode.ts'
import { refusal } from '../setup/expected.ts'
import { type Receiver, startReceiver } from '../setup/receiver.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
} from '../setup/testService.ts'
import { eventually } from '../webhooks/shop.ts'
import { findCells, placesOf, readLedger } from './searchTables.ts'

let t: TestService
let shop: TestStore
let receiver: Receiver
let stopLoops: () => Promise<void>
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  await t.fund(shop.store, 'live', '1000')
  // A receiver that echoes the event in its response.
  receiver = await startReceiver((_request, response, body) => response.end(body))
  stopLoops = startLoops(t.service)
})
afterAll(async () => {
  await stopLoops()
  await receiver.close()
  await t.close()
})

const PIN = '2468'
let payerCount = 0
let person: { name: string; email: string; phone: string }
let walletId: string
let walletHeaders: Headers
beforeEach(async () => {
  payerCount += 1
  person = {
    name: `Zoë "Q" Quill ${payerCount}`,
    email: `zoe${payerCount}@payer.example`,
    phone: `+4477009000${String(payerCount).padStart(2, '0')}`,
  }
  const body = { ...person, mode: 'live', pin: PIN }
  walletId = (await t.call('POST', '/operator/wallets', t.operator, body)).body.data.wallet_id
  await move('top-up', '100')
  const { phone } = person
  const signedIn = await t.call('POST', '/wallet/session', {}, { phone, pin: PIN })
  walletHeaders = { authorization: `Bearer ${signedIn.body.data.token}` }
})

const words = () => [
  person.name,
  JSON.stringify(person.name).slice(1, -1),
  person.email,
  person.phone,
]
const operator = (path: string, body?: unknown) =>
  t.call('POST', `/operator/wallets/${walletId}/${path}`, t.operator, body)
const move = (path: string, amount: string) => operator(path, { currency: 'USD', amount })
const readDetails = async (id: string) =>
  (await t.call('GET', `/merchant/payment/${id}`, shop.live)).body.data
const pay = (qrCode: string, key?: string) =>
  t.call(
    'POST',
    `/wallet/payment/${qrCode}/pay`,
    { ...walletHeaders, ...(key && { 'idempotency-key': key }) },
    {},
  )

/** Pays, and waits until the response of the receiver is recorded. */
async function payAndDeliver(body: Record<string, unknown> = {}): Promise<string> {
  const created = await t.createPayment(shop.live, { webhook_url: receiver.url, ...body })
  expect((await pay(created.qr_code, `key-${created.payment_id}`)).status).toBe(200)
  await eventually(async () =>
    expect((await readDetails(created.payment_id)).webhook.called_at).not.toBeNull(),
  )
  return created.payment_id
}

async function emptyWallet(): Promise<void> {
  const { balances } = (await t.call('GET', `/operator/wallets/${walletId}`, t.operator)).body.data
  if (balances[0].balance !== '0.00') await move('withdraw', balances[0].balance)
}

it('exports all data of a payer, and records the export without the data', async () => {
  const id = await payAndDeliver({ webhook_url: `${receiver.url}?token=secret` })
  const refunded = await payAndDeliver()
  await t.call('POST', `/merchant/payment/${refunded}/refund`, shop.live)
  await eventually(async () => {
    const url = `/merchant/payment/${refunded}/webhooks`
    const { events } = (await t.call('GET', url, shop.live)).body.data
    expect(events.map((event: { state: string }) => event.state)).toEqual([
      'delivered',
      'delivered',
    ])
  })
  await t.call('POST', '/wallet/session', {}, { phone: person.phone, pin: '0000' })

  const found = await findCells(t.database, words())
  // The columns that contain a payer's name, email address or phone number. A new one must be exported and erased too.
  expect(placesOf(found)).toEqual([
    'audit_log.after',
    'delivery_attempt.answer',
    'event.body',
    'sign_in_guard.subject',
    'wallet.email',
    'wallet.name',
    'wallet.phone',
    'wallet_phone.phone',
  ])
  const { status, body } = await operator('export')
  expect(status).toBe(200)
  const { data } = body
  expect(data.wallet).toMatchObject({ ...person, wallet_id: walletId, erased_at: null })
  expect(data.sessions).toHaveLength(1)
  expect(data.log.at(-1)).toMatchObject({ action: 'wallet.create', after: person })
  expect(data.activity.map((entry: { kind: string }) => entry.kind)).toEqual([
    'refund',
    'payment',
    'payment',
    'top_up',
  ])
  expect(data.webhooks).toHaveLength(3)
  const host = new URL(receiver.url).host
  for (const webhook of data.webhooks) {
    expect(webhook).toMatchObject({ host, about: { ...person, wallet_id: walletId } })
    expect(webhook.attempts).toEqual([expect.objectContaining({ status_code: 200, error: null })])
    // The webhook URL and the response belong to the merchant.
    expect(webhook).not.toHaveProperty('url')
    expect(webhook.attempts[0]).not.toHaveProperty('body')
  }
  expect(JSON.stringify(data)).not.toContain('token=secret')
  expect(data.webhooks[0].payment_id).toBe(id)

  const log = await t.call('GET', '/operator/audit-log?action=wallet.export', t.operator)
  expect(log.body.data.entries[0]).toMatchObject({ subject: `wallet:${walletId}`, after: null })
})

it('erases a payer from every table, without changing the ledger or an amount', async () => {
  const id = await payAndDeliver({
    client: { name: 'Cy', email: 'cy@x.example', phone: '12345' },
    payload: { n: 0.1 },
  })
  const refunded = await payAndDeliver()
  await t.call('POST', `/merchant/payment/${refunded}/refund`, shop.live)
  await t.call('POST', '/wallet/session', {}, { phone: person.phone, pin: '0000' })
  expect(await t.auditFindings()).toEqual([])

  const refused = await operator('erase')
  expect({ status: refused.status, body: refused.body }).toEqual({
    status: 409,
    body: refusal(409, 'This wallet still has money. Withdraw it first.'),
  })
  expect((await findCells(t.database, words())).length).toBeGreaterThan(5)
  await emptyWallet()
  const [before, money] = [await readDetails(id), await readLedger(t.database)]

  const erased = await operator('erase')
  expect(erased.status).toBe(200)
  const erasedPayer = { name: 'Erased', email: '', phone: '' }
  expect(erased.body.data).toMatchObject({ ...erasedPayer, wallet_id: walletId, payments: 2 })
  expect(erased.body.data.erased_at).not.toBeNull()
  expect(await findCells(t.database, words())).toEqual([])
  expect(await readLedger(t.database)).toEqual(money)
  expect(await t.auditFindings()).toEqual([])

  // The details change only in the payer and in the response, which may contain the name.
  const webhook = { ...before.webhook, response: { status_code: 200, body: null } }
  expect(await readDetails(id)).toEqual({
    ...before,
    user: { ...before.user, ...erasedPayer },
    webhook,
  })
  const { text } = await t.call('GET', '/operator/audit-log?action=wallet.erase', t.operator)
  expect(text).toContain(`wallet:${walletId}`)
  expect(await findCells(t.database, words())).toEqual([])
})

it('erases a payer of many payments in steps, each payment once', async () => {
  for (let n = 0; n < 3; n++) await payAndDeliver({ amount: 1 })
  await emptyWallet()
  const wallet = (await findWallet(t.database, parseWalletId(walletId)!))!
  const actor = { name: 'test', requestId: null }
  const erased = await erasePayer(t.database, actor, wallet, { batchSize: 2 })
  expect(erased).toMatchObject({ kind: 'erased', payments: 3 })
  expect(await findCells(t.database, words())).toEqual([])
})

it('signs out an erased payer on every node and keeps the wallet closed', async () => {
  const created = await t.createPayment(shop.live)
  const node = await openNode(t)
  expect((await node.call('GET', '/wallet/me', walletHeaders)).status).toBe(200)
  await emptyWallet()
  expect((await operator('erase')).status).toBe(200)
  expect((await t.call('GET', '/wallet/me', walletHeaders)).status).toBe(401)
  expect((await pay(created.qr_code)).status).toBe(401)
  await eventually(async () =>
    expect((await node.call('GET', '/wallet/me', walletHeaders)).status).toBe(401),
  )
  await node.close()

  const { phone } = person
  expect((await t.call('POST', '/wallet/session', {}, { phone, pin: PIN })).status).toBe(401)
  const erasedRefusal = refusal(409, "This wallet has been erased. It can't be changed.")
  for (const [path, body] of [['unlock'], ['lock'], ['pin', { pin: '8052' }]] as const) {
    expect((await operator(path, body)).body, path).toEqual(erasedRefusal)
  }
  expect((await move('top-up', '5')).body).toEqual(erasedRefusal)
  // A retried request succeeds and is recorded once.
  expect((await operator('erase')).status).toBe(200)
  const log = await t.call('GET', `/operator/audit-log?subject=wallet:${walletId}`, t.operator)
  const actions = log.body.data.entries.map((entry: { action: string }) => entry.action)
  expect(actions.filter((action: string) => action === 'wallet.erase')).toHaveLength(1)
  // The phone number can be used by another wallet.
  const reused = { ...person, mode: 'live', pin: PIN }
  expect((await t.call('POST', '/operator/wallets', t.operator, reused)).status).toBe(200)
})

it('resends events without the payer, and still refunds to the wallet', async () => {
  const id = await payAndDeliver()
  await emptyWallet()
  await operator('erase')
  const before = receiver.received.length
  await t.call('POST', `/merchant/payment/${id}/webhooks/redeliver`, shop.live)
  await receiver.until(before + 1)
  await t.call('POST', `/merchant/payment/${id}/refund`, shop.live)
  await receiver.until(before + 2)
  for (const { body } of receiver.received.slice(before)) {
    expect(JSON.parse(body).data.user).toMatchObject({ name: 'Erased', wallet_id: walletId })
  }
  expect(await listErasedWithBalance(t.database, 9)).toEqual([walletId])
  expect((await move('withdraw', '10')).status).toBe(200)
  expect(await listErasedWithBalance(t.database, 9)).toEqual([])
  expect(await t.auditFindings()).toEqual([])
})

it('leaves no data if a payer is erased during a payment, or during a delivery', async () => {
  let respondLate = () => {}
  const lateReceiver = await startReceiver((_request, response, body) => {
    respondLate = () => void response.end(body)
  })
  await t
    .createPayment(shop.live, { webhook_url: lateReceiver.url, amount: 1 })
    .then((created) => pay(created.qr_code))
  await lateReceiver.until(1)
  const payments = await Promise.all(
    Array.from({ length: 20 }, () => t.createPayment(shop.live, { amount: 1 })),
  )
  const paying = Promise.all(payments.map((created) => pay(created.qr_code)))
  // The erasure succeeds only after the balance has reached zero.
  const erasing = eventually(async () => {
    await emptyWallet()
    expect((await operator('erase')).status).toBe(200)
  })
  const statuses = new Set((await paying).map(({ status }) => status))
  await erasing
  for (const status of statuses) expect([200, 401, 402, 403, 429]).toContain(status)
  respondLate()
  // The late attempt is not recorded. The event is sent again with the redacted body.
  await lateReceiver.until(2)
  respondLate()
  await eventually(async () => {
    const rows = await t.database.query('select 1 from delivery where url = $1', [lateReceiver.url])
    expect(rows).toEqual([])
  })
  expect(JSON.parse(lateReceiver.received[1]!.body).data.user.name).toBe('Erased')
  expect(await findCells(t.database, words())).toEqual([])
  expect(await t.auditFindings()).toEqual([])
  await lateReceiver.close()
})

it('refuses the built-in sandbox wallet and an unknown wallet', async () => {
  const [row] = await t.database.query<{ id: string }>(
    'select public_id as id from wallet where wallet_id = $1',
    [shop.store.sandboxWalletId],
  )
  const erase = (id: string) => t.call('POST', `/operator/wallets/${id}/erase`, t.operator)
  expect((await erase(row!.id)).body).toEqual(
    refusal(409, "This is the built-in sandbox wallet. It can't be changed."),
  )
  expect((await erase('wal_unknown')).status).toBe(404)
  expect((await t.call('POST', `/operator/wallets/wal_unknown/export`, t.operator)).status).toBe(
    404,
  )
})
