import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { changeLink, newLink, payLink } from '../setup/links.ts'
import { countStatuses, readWalletBalance } from '../setup/merchantCalls.ts'
import { expectNoRetries } from '../setup/retries.ts'
import { startTestService, type TestService, type TestWallet } from '../setup/testService.ts'

describe.each([
  ['one node', 1],
  ['two nodes on one database', 2],
])('links paid concurrently, on %s', (_, nodeCount) => {
  let t: TestService
  let other: Node
  let wallets: TestWallet[]

  beforeAll(async () => {
    t = await startTestService()
    other = await openNode(t)
    wallets = []
    for (let i = 0; i < 100; i++) wallets.push(await t.createWallet({ balance: '1000.00' }))
  })
  afterAll(async () => {
    await other.close()
    await t.close()
  })
  afterEach(async () => {
    expect(await t.auditFindings()).toEqual([])
    await expectNoRetries([t.service, other.service])
  })

  let turn = 0
  const pay = (wallet: TestWallet, id: string, body: object = {}, headers = {}) => {
    const node = turn++ % nodeCount === 0 ? t : other
    return payLink(node, wallet, id, body, headers)
  }
  const readBalances = () =>
    Promise.all(wallets.map(async (wallet) => Number(await readWalletBalance(t, wallet))))
  const linkOf = async (id: string, keys: Record<string, string>) =>
    (await t.call('GET', `/merchant/links/${id}`, keys)).body.data

  it('100 wallets pay a link with max_payments 37: exactly 37 are charged', async () => {
    const { live } = await t.createStore({ feeBps: 100 })
    const id = await newLink(t, live, { amount: 10, max_payments: 37 })
    const before = await readBalances()
    const responses = await Promise.all(wallets.map((wallet) => pay(wallet, id)))
    expect(countStatuses(responses)).toEqual({ 200: 37, 409: 63 })
    const after = await readBalances()
    const charged = before.map((balance, index) => Math.round(balance - after[index]!))
    expect(charged).toEqual(responses.map(({ status }) => (status === 200 ? 10 : 0)))
    const { payments } = (await t.call('GET', `/merchant/payments?link_id=${id}&limit=100`, live))
      .body.data
    const ids = responses.flatMap(({ status, body }) =>
      status === 200 ? body.data.payment_id : [],
    )
    const stored = payments.map((payment: { payment_id: string }) => payment.payment_id)
    expect(stored.toSorted()).toEqual(ids.toSorted())
    expect(await linkOf(id, live)).toMatchObject({ paid_count: 37, paid_total: '370.00' })
  })

  it('50 wallets send a payment twice with the same Idempotency-Key: each pays once', async () => {
    const { live } = await t.createStore()
    const id = await newLink(t, live)
    const before = await readBalances()
    const requests = wallets.slice(0, 50).flatMap((wallet, n) => {
      const key = { 'idempotency-key': `payment-${n}` }
      return [pay(wallet, id, { amount: 4.5 }, key), pay(wallet, id, { amount: 4.5 }, key)]
    })
    const responses = await Promise.all(requests)
    expect(countStatuses(responses)).toEqual({ 200: 100 })
    expect(new Set(responses.map(({ text }) => text)).size).toBe(50)
    const after = await readBalances()
    const charged = before.map((balance, index) => Math.round((balance - after[index]!) * 100))
    expect(charged).toEqual(wallets.map((_, index) => (index < 50 ? 450 : 0)))
    expect(await linkOf(id, live)).toMatchObject({ paid_count: 50, paid_total: '225.00' })
  })

  it('a wallet with money for 7 payments sends 40: 7 succeed', async () => {
    const { live } = await t.createStore()
    const id = await newLink(t, live, { amount: 10 })
    const wallet = await t.createWallet({ balance: '79.00' })
    const responses = await Promise.all(Array.from({ length: 40 }, () => pay(wallet, id)))
    expect(countStatuses(responses)).toEqual({ 200: 7, 402: 33 })
    expect(await readWalletBalance(t, wallet)).toBe('9.00')
  })

  it('a link is paused meanwhile: every response is a payment or a refusal, and the count agrees', async () => {
    const { live } = await t.createStore()
    const id = await newLink(t, live, { amount: 1 })
    const payments = wallets.slice(0, 60).map((wallet) => pay(wallet, id))
    const [changed, ...responses] = await Promise.all([
      changeLink(t, live, id, { active: false }),
      ...payments,
    ])
    expect(changed.status).toBe(200)
    const { 200: paid = 0, 409: refused = 0 } = countStatuses(responses)
    expect(paid + refused).toBe(60)
    expect(await linkOf(id, live)).toMatchObject({ paid_count: paid, active: false })
    expect((await pay(wallets[0]!, id)).status).toBe(409)
  })
})
