import { afterAll, beforeAll, expect, it } from 'vitest'
import { changeStore } from '../../setup/merchantCalls.ts'
import { createPerson } from '../../setup/people.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

let t: TestService
beforeAll(async () => {
  t = await startTestService()
})
afterAll(() => t.close())

it('shows the owner which steps of the setup are done', async () => {
  const shop = await t.createStore()
  const { headers } = await createPerson(t, shop.store)
  await t.database.transaction((tx) =>
    tx.execute('delete from credential where store_id = $1', [shop.store.storeId]),
  )
  const readSetup = async () => (await t.call('GET', '/store/setup', headers)).body
  const data = { logo: false, key: false, test_payment: false, webhook: false, person: false }
  expect(await readSetup()).toEqual({ status: 200, message: 'Setup', data })

  const webhook_url = 'https://shop.example.com/hook'
  const body = { amount: 5, currency: 'USD', webhook_url }
  const tried = await t.call('POST', '/store/sandbox/console/payments', headers, body)
  expect((await readSetup()).data).toEqual({ ...data, test_payment: true })
  const payPath = `/store/sandbox/console/payments/${tried.body.data.payment_id}/pay`
  await t.call('POST', payPath, headers, { outcome: 'completed' })
  await t.call('POST', '/store/live/keys', headers, { label: 'Web shop' })
  await createPerson(t, shop.store, 'cashier')
  await changeStore(t, shop, { logo: 'https://shop.example.com/logo.png' })
  expect((await readSetup()).data).toEqual({
    logo: true,
    key: true,
    test_payment: true,
    webhook: true,
    person: true,
  })
})
