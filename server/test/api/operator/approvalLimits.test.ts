import { afterAll, beforeAll, expect, it } from 'vitest'
import { invalid } from '../../setup/expected.ts'
import { startTestService, type TestService, type TestWallet } from '../../setup/testService.ts'

let t: TestService
let payer: TestWallet
beforeAll(async () => {
  t = await startTestService()
  payer = await t.createWallet()
  await setLimit('USD', '100')
})
afterAll(() => t.close())

const setLimit = (currency: string, amount: string | null) =>
  t.call('PUT', '/operator/approval-limits', t.operator, { currency, amount })
const topUp = (amount: string) => {
  const path = `/operator/wallets/${payer.wallet.publicId}/top-up`
  return t.call('POST', path, t.operator, { currency: 'USD', amount })
}

it('approval limits are set per currency, apply to later requests, and are in the audit log', async () => {
  const set = await setLimit('JPY', '0')
  expect(set.body).toEqual({
    status: 200,
    message: 'Approval limit set',
    data: {
      limits: [
        { currency: 'JPY', amount: '0.00' },
        { currency: 'USD', amount: '100.00' },
      ],
    },
  })
  const logUrl = '/operator/audit-log?limit=1&action=approval-limit.change'
  const log = await t.call('GET', logUrl, t.operator)
  expect(log.body.data.entries[0]).toMatchObject({
    subject: 'approval-limit:JPY',
    before: { currency: 'JPY', amount: null },
    after: { currency: 'JPY', amount: '0.00' },
  })
  expect((await setLimit('JPY', null)).body.data.limits).toEqual([
    { currency: 'USD', amount: '100.00' },
  ])
  const { approval_id: id } = (await topUp('150')).body.data
  await setLimit('USD', '200')
  expect((await topUp('150')).status).toBe(200)
  const pending = await t.call('GET', '/operator/approvals?state=pending', t.operator)
  expect(pending.body.data.approvals[0].approval_id).toBe(id)
  const read = await t.call('GET', '/operator/approval-limits', t.operator)
  expect(read.body.data.limits).toEqual([{ currency: 'USD', amount: '200.00' }])
})

it.each<[unknown, [string, string]]>([
  [{ currency: 'USD' }, ['amount', 'amount is required']],
  [{ currency: 'XXX', amount: '1' }, ['currency', 'currency is not known']],
  [{ currency: 'USD', amount: '1.001' }, ['amount', 'amount has more decimals than USD has']],
  [{ currency: 'USD', amount: '-1' }, ['amount', expect.stringContaining('decimal number')]],
])('approval limits refuse %j', async (body, problem) => {
  const response = await t.call('PUT', '/operator/approval-limits', t.operator, body)
  expect(response.body).toEqual(invalid(problem))
})
