import { afterAll, beforeAll, expect, it } from 'vitest'
import { decryptSecret } from '../../../src/core/secrets.ts'
import { WITH_MAIL } from '../../setup/mails.ts'
import { createOperator } from '../../setup/operators.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService(WITH_MAIL)
})
afterAll(() => t.close())

async function readMails(): Promise<{ to: string; content: unknown }[]> {
  const rows = await t.database.query<{ to: string; content: Buffer }>(
    'select recipient as to, content from mail order by recipient',
  )
  return rows.map(({ to, content }) => ({
    to,
    content: JSON.parse(decryptSecret(content, t.service.secretKey)),
  }))
}

it('the owner of a new token gets an email, and a request for approval is emailed to the others who can approve', async () => {
  const admin = await createOperator(t)
  const finance = await createOperator(t, 'finance')
  const disabled = await createOperator(t, 'finance')
  await createOperator(t, 'support')
  await createOperator(t, 'auditor')
  const path = `/operator/operators/${disabled.operatorId}`
  await t.call('PATCH', path, admin.headers, { disabled: true })

  const created = await t.call('POST', '/operator/tokens', admin.headers, {
    label: 'nightly',
    scopes: ['read'],
  })
  expect(await readMails()).toEqual([
    {
      to: admin.email,
      content: {
        template: 'new_credential',
        name: admin.name,
        kind: 'token',
        label: 'nightly',
        by: `${admin.email} (operator)`,
        at: created.body.data.created_at,
      },
    },
  ])
  await t.database.transaction((tx) => tx.execute('delete from mail'))

  // The command line has no address, so nothing is sent for its tokens.
  await t.call('POST', '/operator/tokens', t.operator, { label: 'cron', scopes: ['read'] })
  expect(await readMails()).toEqual([])

  await t.call('PUT', '/operator/approval-limits', t.operator, { currency: 'USD', amount: '5' })
  const { store } = await t.createStore({ name: 'Corner' })
  const url = `/operator/stores/${store.storeId}/payout`
  const body = { mode: 'live', amount: '7.50' }
  expect((await t.call('POST', url, finance.headers, body)).status).toBe(202)
  const content = {
    template: 'approval_needed',
    name: admin.name,
    kind: 'payout',
    subject: 'Corner',
    amount: '7.50\u00a0USD',
    by: `${finance.email} (operator)`,
    url: 'https://pay.example.com/operator#/approvals',
  }
  expect(await readMails()).toEqual([{ to: admin.email, content }])
})
