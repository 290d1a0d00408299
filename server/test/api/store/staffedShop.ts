import { createPersonOfEachRole } from '../../setup/people.ts'
import { startTestService, type TestService } from '../../setup/testService.ts'

/** A service, a store with money and a person of each role, and a wallet that can pay it. */
export async function openStaffedShop(settings: Parameters<TestService['createStore']>[0]) {
  const t = await startTestService()
  const shop = await t.createStore(settings)
  await t.fund(shop.store, 'live', '1000.00')
  const wallet = await t.createWallet({ balance: '10000.00' })
  const people = await createPersonOfEachRole(t, shop.store)
  return { t, shop, wallet, people }
}
export type StaffedShop = Awaited<ReturnType<typeof openStaffedShop>>
