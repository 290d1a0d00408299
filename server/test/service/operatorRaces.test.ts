import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Node, openNode } from '../setup/anotherNode.ts'
import { createOperator, newOperatorSession } from '../setup/operators.ts'
import { startTestService, type TestResponse, type TestService } from '../setup/testService.ts'

let t: TestService
let node: Node
beforeAll(async () => {
  t = await startTestService()
  node = await openNode(t)
})
afterAll(async () => {
  await node.close()
  await t.close()
})

const times = <Result>(count: number, run: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))
const statuses = (responses: readonly TestResponse[]) =>
  responses.map(({ status }) => status).sort()

it('of twenty concurrent approvals on two nodes one moves the money', async () => {
  const ada = await createOperator(t, 'finance')
  const limit = { currency: 'USD', amount: '0' }
  expect((await t.call('PUT', '/operator/approval-limits', t.operator, limit)).status).toBe(200)
  const { wallet } = await t.createWallet()
  const path = `/operator/wallets/${wallet.publicId}`
  const body = { currency: 'USD', amount: '250' }
  const requested = await t.call('POST', `${path}/top-up`, ada.headers, body)
  expect(requested.status).toBe(202)
  const approvers = await times(20, () => createOperator(t, 'finance'))
  const url = `/operator/approvals/${requested.body.data.approval_id}`
  const responses = await Promise.all(
    approvers.map(({ headers }, index) =>
      (index % 2 === 0 ? t : node).call('POST', url, headers, { decision: 'approve' }),
    ),
  )
  expect(statuses(responses)).toEqual([200, ...Array<number>(19).fill(409)])
  const { data } = (await t.call('GET', path, t.operator)).body
  expect(data.balances).toMatchObject([{ balance: '250.00', currency: 'USD' }])
  const [moved] = await t.database.query<{ count: number }>(
    'select count(*)::int as count from wallet_transfer where wallet_id = $1',
    [wallet.walletId],
  )
  expect(moved!.count).toBe(1)
  const log = await t.call('GET', '/operator/audit-log?action=approval.approve', t.operator)
  expect(log.body.data.entries).toHaveLength(1)
  expect(await t.auditFindings()).toEqual([])
})

it('twenty concurrent requests with one Idempotency-Key create one approval', async () => {
  const { headers } = await createOperator(t, 'finance')
  const { store } = await t.createStore()
  const responses = await times(20, (index) =>
    (index % 2 === 0 ? t : node).call(
      'POST',
      `/operator/stores/${store.storeId}/fund`,
      { ...headers, 'idempotency-key': 'one' },
      { mode: 'live', amount: '10' },
    ),
  )
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([202]))
  expect(new Set(responses.map(({ body }) => body.data.approval_id)).size).toBe(1)
  expect(responses.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(
    19,
  )
})

it('admins who demote or disable each other at the same time leave one admin', async () => {
  for (const change of [{ role: 'auditor' }, { disabled: true }]) {
    await t.database.transaction((tx) =>
      tx.execute(`update operator set role = 'support' where role = 'admin'`),
    )
    const admins = await times(8, () => createOperator(t))
    const sessions = await times(8, (index) => newOperatorSession(t, admins[index]!.operatorId))
    const responses = await times(8, (index) => {
      const { operatorId } = admins[(index + 1) % 8]!
      return t.call('PATCH', `/operator/operators/${operatorId}`, sessions[index]!, change)
    })
    expect(responses.every(({ status }) => [200, 401, 403, 409].includes(status))).toBe(true)
    // The remaining admins continue until none of them can.
    for (const headers of sessions) {
      for (const { operatorId } of admins) {
        await t.call('PATCH', `/operator/operators/${operatorId}`, headers, change)
      }
    }
    const left = await t.database.query(
      `select 1 from operator where role = 'admin' and disabled_at is null`,
    )
    expect(left).toHaveLength(1)
  }
})
