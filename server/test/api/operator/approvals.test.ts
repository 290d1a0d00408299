import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { invalid, refusal, TIME } from '../../setup/expected.ts'
import { createOperator, createTestToken, type TestOperator } from '../../setup/operators.ts'
import {
  type Headers,
  startTestService,
  type TestService,
  type TestStore,
  type TestWallet,
} from '../../setup/testService.ts'

let t: TestService
let shop: TestStore
let payer: TestWallet
let ada: TestOperator
let bo: TestOperator
beforeAll(async () => {
  t = await startTestService()
  shop = await t.createStore()
  ada = await createOperator(t, 'finance')
  bo = await createOperator(t, 'finance')
})
afterAll(() => t.close())
beforeEach(async () => {
  payer = await t.createWallet()
  await setLimit('100')
})

const setLimit = (amount: string | null) =>
  t.call('PUT', '/operator/approval-limits', t.operator, { currency: 'USD', amount })
const topUp = (amount: string, { by = ada.headers, key = '' } = {}) =>
  t.call(
    'POST',
    `/operator/wallets/${payer.wallet.publicId}/top-up`,
    { ...by, ...(key && { 'idempotency-key': key }) },
    { currency: 'USD', amount, note: 'gift' },
  )
const requestTopUp = async (amount: string): Promise<string> =>
  (await topUp(amount)).body.data.approval_id
const decide = (id: string, headers: Headers, decision = 'approve') =>
  t.call('POST', `/operator/approvals/${id}`, headers, { decision })
const readBalance = async () => {
  const url = `/operator/wallets/${payer.wallet.publicId}`
  const { balances } = (await t.call('GET', url, t.operator)).body.data
  return balances[0]?.balance ?? '0.00'
}
const list = async (query: string) =>
  (await t.call('GET', `/operator/approvals?${query}`, bo.headers)).body.data
const readLastEntry = async (action: string) =>
  (await t.call('GET', `/operator/audit-log?limit=1&action=${action}`, t.operator)).body.data
    .entries[0]

describe('a movement above the limit', () => {
  it('moves nothing until a second operator approves it, and both are in the audit log', async () => {
    expect((await topUp('100')).body.data.balance).toBe('100.00')
    const requested = await topUp('100.01')
    expect(requested.status).toBe(202)
    expect(requested.body).toEqual({
      status: 202,
      message: 'Waiting for approval',
      data: {
        approval_id: expect.stringMatching(/^apr_\w{26}$/),
        state: 'pending',
        kind: 'top_up',
        store_id: null,
        wallet_id: payer.wallet.publicId,
        name: payer.wallet.name,
        mode: 'live',
        amount: '100.01',
        currency: 'USD',
        note: 'gift',
        reference: expect.stringMatching(/^top_\w{26}$/),
        requested_by: `${ada.email} (operator)`,
        requested_at: TIME,
        expires_at: TIME,
        decided_by: null,
        decided_at: null,
        can_decide: false,
      },
    })
    const { data } = requested.body
    expect(await readBalance()).toBe('100.00')
    expect((await list('state=pending')).approvals[0]).toEqual({ ...data, can_decide: true })

    const approved = await decide(data.approval_id, bo.headers)
    const decided = {
      ...data,
      state: 'approved',
      decided_by: `${bo.email} (operator)`,
      decided_at: TIME,
    }
    expect(approved.body).toEqual({ status: 200, message: 'Approved', data: decided })
    expect(await readBalance()).toBe('200.01')
    expect((await list('state=decided')).approvals[0]).toEqual(decided)
    expect(await readLastEntry('wallet.top_up')).toMatchObject({
      actor: `${bo.email} (operator)`,
      subject: `wallet:${payer.wallet.publicId}`,
      before: { currency: 'USD', balance: '100.00' },
      after: {
        currency: 'USD',
        balance: '200.01',
        reference: data.reference,
        note: 'gift',
        approval_id: data.approval_id,
        requested_by: `${ada.email} (operator)`,
        approved_by: `${bo.email} (operator)`,
      },
    })
    expect(await readLastEntry('approval.request')).toMatchObject({
      actor: `${ada.email} (operator)`,
    })
    expect(await readLastEntry('approval.approve')).toMatchObject({
      actor: `${bo.email} (operator)`,
    })
    const events = await t.database.query(
      `select kind, account_id from security_event where kind like 'approval%' order by event_id`,
    )
    expect(events).toEqual([
      { kind: 'approval_requested', account_id: ada.operatorId },
      { kind: 'approval_granted', account_id: bo.operatorId },
    ])
  })

  it('moves nothing if it is denied', async () => {
    const id = await requestTopUp('101')
    const denied = await decide(id, bo.headers, 'deny')
    expect(denied.body).toMatchObject({ message: 'Denied', data: { state: 'denied' } })
    expect(await readBalance()).toBe('0.00')
    const decidedRefusal = refusal(409, 'This approval has already been decided')
    expect((await decide(id, bo.headers)).body).toEqual(decidedRefusal)
    expect((await decide(id, bo.headers, 'deny')).body).toEqual(decidedRefusal)
  })

  it('cannot be decided by its requester or their token, nor approved with any token', async () => {
    const ownRefusal = refusal(403, 'Another operator has to decide this')
    const tokenRefusal = refusal(403, 'Only a signed-in operator can approve')
    const tokenOf = (operatorId: string | null) =>
      createTestToken(t, { operatorId, scopes: ['money'] })
    const adaToken = await tokenOf(ada.operatorId)
    const cliToken = await tokenOf(null)
    const id = await requestTopUp('101')
    for (const decision of ['approve', 'deny']) {
      expect((await decide(id, ada.headers, decision)).body).toEqual(ownRefusal)
      expect((await decide(id, adaToken.headers, decision)).body).toEqual(ownRefusal)
    }
    expect((await decide(id, cliToken.headers)).body).toEqual(tokenRefusal)
    expect((await decide(id, t.operator)).body).toEqual(tokenRefusal)
    expect((await decide(id, cliToken.headers, 'deny')).body.data.state).toBe('denied')

    const byToken = (await topUp('101', { by: adaToken.headers })).body.data
    expect(byToken.requested_by).toBe(`token:${adaToken.tokenId} of ${ada.email}`)
    expect((await decide(byToken.approval_id, ada.headers)).body).toEqual(ownRefusal)
    const boToken = await tokenOf(bo.operatorId)
    expect((await decide(byToken.approval_id, boToken.headers)).body).toEqual(tokenRefusal)
    expect((await decide(byToken.approval_id, bo.headers)).body.data).toMatchObject({
      state: 'approved',
      decided_by: `${bo.email} (operator)`,
    })
    expect(await readBalance()).toBe('101.00')
  })

  it('stays pending if the money cannot be moved now', async () => {
    const url = `/operator/stores/${shop.store.storeId}/payout`
    const requested = await t.call('POST', url, ada.headers, { mode: 'live', amount: '500' })
    const id = requested.body.data.approval_id
    expect(requested.body.data).toMatchObject({
      store_id: shop.store.storeId,
      wallet_id: null,
      name: shop.store.name,
    })
    expect((await decide(id, bo.headers)).body).toEqual(
      refusal(400, 'The balance does not cover this amount'),
    )
    expect((await list('state=pending')).approvals[0]).toMatchObject({
      approval_id: id,
      state: 'pending',
    })
    await t.fund(shop.store, 'live', '500')
    expect((await decide(id, bo.headers)).body.data.state).toBe('approved')
    expect(await readLastEntry('store.payout')).toMatchObject({
      before: { balance: '500.00' },
      after: { balance: '0.00', requested_by: `${ada.email} (operator)` },
    })
  })

  it('cannot top up a wallet that was erased in the meantime', async () => {
    const id = await requestTopUp('101')
    const { publicId } = payer.wallet
    expect((await t.call('POST', `/operator/wallets/${publicId}/erase`, t.operator)).status).toBe(
      200,
    )
    const erased = refusal(409, "This wallet has been erased. It can't be changed.")
    expect((await decide(id, bo.headers)).body).toEqual(erased)
    expect((await topUp('101')).body).toEqual(erased)
    expect((await list('state=pending')).approvals[0]).toMatchObject({ approval_id: id })
    expect((await decide(id, bo.headers, 'deny')).status).toBe(200)
  })

  it('expires after seven days', async () => {
    const { approval_id: id, requested_at, expires_at } = (await topUp('101')).body.data
    expect(Date.parse(`${expires_at}Z`) - Date.parse(`${requested_at}Z`)).toBe(7 * 86_400_000)
    await t.database.transaction((tx) =>
      tx.execute('update approval set expires_at = now() where approval_id = $1', [id]),
    )
    const [first] = (await list('state=decided')).approvals
    expect(first).toMatchObject({ approval_id: id, state: 'expired', can_decide: false })
    expect((await list('state=pending')).approvals).toEqual([])
    expect((await decide(id, bo.headers)).body).toEqual(
      refusal(409, 'This approval has expired. Request the movement again.'),
    )
  })

  it('is requested once per Idempotency-Key', async () => {
    const first = await topUp('101', { key: 'once' })
    const again = await topUp('101', { key: 'once' })
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([202, 'true'])
    expect(again.body).toEqual(first.body)
    expect((await topUp('102', { key: 'once' })).status).toBe(422)
    await decide(first.body.data.approval_id, bo.headers)
    const { reference } = first.body.data
    const laterTopUp = await topUp('101', { key: 'once' })
    expect([laterTopUp.status, laterTopUp.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(laterTopUp.body).toEqual({
      status: 200,
      message: 'Done',
      data: { reference, balance: '101.00', currency: 'USD' },
    })
    expect((await topUp('102', { key: 'once' })).status).toBe(422)
    expect(await readBalance()).toBe('101.00')
  })

  it('that is repeated with its Idempotency-Key reports whether it was denied or has expired', async () => {
    const outcomeOf = async (key: string) => {
      const { status, body } = await topUp('101', { key })
      return [status, body.message, body.data.state]
    }
    const denied = await topUp('101', { key: 'denied' })
    await decide(denied.body.data.approval_id, bo.headers, 'deny')
    expect(await outcomeOf('denied')).toEqual([202, 'Not approved', 'denied'])
    const expired = await topUp('101', { key: 'expired' })
    await t.database.transaction((tx) =>
      tx.execute('update approval set expires_at = now() where approval_id = $1', [
        expired.body.data.approval_id,
      ]),
    )
    expect(await outcomeOf('expired')).toEqual([202, 'Not approved', 'expired'])
  })

  it('needs no approval if it was made with the same Idempotency-Key before there was a limit', async () => {
    await setLimit(null)
    const moved = await topUp('101', { key: 'before' })
    await setLimit('100')
    const again = await topUp('101', { key: 'before' })
    expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, 'true'])
    expect(again.body).toEqual(moved.body)
    expect(await readBalance()).toBe('101.00')
  })
})

it('an unknown approval, decision or cursor is refused', async () => {
  expect((await decide('apr_nothing\u0000', bo.headers)).body).toEqual(
    refusal(404, 'Approval not found'),
  )
  const id = await requestTopUp('101')
  expect((await decide(id, bo.headers, 'maybe')).body).toEqual(
    invalid(['decision', 'decision must be one of approve, deny']),
  )
  const bad = await t.call('GET', '/operator/approvals?cursor=x', bo.headers)
  expect(bad.body).toEqual(invalid(['cursor', 'cursor must be the next_cursor of a page']))
})

describe('the approvals of an operator who can no longer move money', () => {
  it.each([
    ['is disabled', { disabled: true }],
    ['gets another role', { role: 'auditor' }],
  ])('are denied when the operator %s', async (_, change) => {
    const cy = await createOperator(t, 'finance')
    const requested = await topUp('150', { by: cy.headers })
    const { approval_id: id } = requested.body.data
    const otherApproval = await requestTopUp('160')
    const path = `/operator/operators/${cy.operatorId}`
    expect((await t.call('PATCH', path, t.operator, change)).status).toBe(200)
    expect((await decide(id, bo.headers)).body).toEqual(
      refusal(409, 'This approval has already been decided'),
    )
    expect(await readBalance()).toBe('0.00')
    expect((await list('state=decided')).approvals[0]).toEqual({
      ...requested.body.data,
      state: 'denied',
      decided_by: 'test operator',
      decided_at: TIME,
    })
    expect(await readLastEntry('approval.deny')).toMatchObject({
      actor: 'test operator',
      subject: `approval:${id}`,
      before: { state: 'pending' },
      after: { state: 'denied' },
    })
    // The approvals of other operators stay pending.
    expect((await decide(otherApproval, bo.headers)).status).toBe(200)
  })

  it('are approved or denied, never both, if the operator is disabled at the same time', async () => {
    const cy = await createOperator(t, 'finance')
    const ids = await Promise.all(
      ['110', '120', '130'].map(
        async (amount) => (await topUp(amount, { by: cy.headers })).body.data.approval_id,
      ),
    )
    const path = `/operator/operators/${cy.operatorId}`
    const responses = await Promise.all([
      decide(ids[0], bo.headers),
      t.call('PATCH', path, t.operator, { disabled: true }),
      decide(ids[1], bo.headers),
      decide(ids[2], bo.headers),
    ])
    const [disabled] = responses.splice(1, 1)
    expect(disabled!.status).toBe(200)
    expect(responses.every(({ status }) => status === 200 || status === 409)).toBe(true)
    const moved = [110, 120, 130].filter((_, n) => responses[n]!.status === 200)
    const sum = moved.reduce((total, amount) => total + amount, 0)
    expect(Number(await readBalance())).toBe(sum)
    const pending = (await list('state=pending&limit=100')).approvals
    expect(
      pending.filter((approval: { approval_id: string }) => ids.includes(approval.approval_id)),
    ).toEqual([])
  })
})
