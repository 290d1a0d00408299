import { expect, it } from 'vitest'
import { recheckDifferences } from '../../src/sql/ledgerSides.ts'
import { createPaidPayment } from '../setup/merchantCalls.ts'
import { startTestService } from '../setup/testService.ts'

it('a recheck reads the other side from a wallet with any valid number, and from no other account', async () => {
  const t = await startTestService()
  try {
    const shop = await t.createStore()
    await t.database.query(`select setval('wallet_number', 2147483600)`)
    const wallet = await t.createWallet({ balance: '100.00' })
    const { payment_id: reference } = await createPaidPayment(t, shop.live, wallet)
    const { walletId } = wallet.wallet
    expect(walletId).toBeGreaterThan(2_147_483_600)
    const recheck = (debit: string) =>
      t.database.transaction((tx) =>
        recheckDifferences(tx, [
          {
            check: '',
            subject: '',
            expected: '',
            found: '',
            storeId: shop.store.storeId,
            reference,
            walletId: null,
            debit,
            credit: `store:${shop.store.storeId}`,
          },
        ]),
      )
    expect(await recheck(`wallet:${walletId}`)).toEqual([])
    // Without its wallet, the transfer of the store has no other side.
    for (const debit of ['wallet:9999999999', 'wallet:0', 'fees']) {
      expect(await recheck(debit)).toHaveLength(1)
    }
  } finally {
    await t.close()
  }
})
