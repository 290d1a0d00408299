import type { Activity } from '@florin/contract/walletActivity.js'
import { expect, it } from 'vitest'
import { withMore, withNew } from '../src/wallet/activityPages.ts'

/** A page of payments with these ids. */
const pageOf = (ids: readonly string[], cursor: string | null): Activity => ({
  activity: ids.map((id) => ({
    at: '2026-11-15 12:00:00',
    kind: 'payment',
    amount: '-3.00',
    currency: 'USD',
    reference: id,
    store: 'Corner Shop',
    note: null,
    store_id: 1,
    store_logo: null,
    refund_fee: null,
  })),
  next_cursor: cursor,
  archived_before: null,
})
const NOTHING = { entries: [], cursor: null, archivedBefore: null }
const idsOf = ({ entries }: ReturnType<typeof withNew>) => entries.map(({ reference }) => reference)

it('adds new transfers before the loaded ones, and keeps the cursor', () => {
  const loaded = withMore(withNew(NOTHING, pageOf(['5', '4'], '4')), '4', pageOf(['3', '2'], '2'))
  const updated = withNew(loaded, pageOf(['6', '5'], '5'))
  expect(idsOf(updated)).toEqual(['6', '5', '4', '3', '2'])
  expect(updated.cursor).toBe('2')
})

it('starts again if transfers between the loaded and the new ones may be missing', () => {
  const updated = withNew(withNew(NOTHING, pageOf(['2', '1'], '1')), pageOf(['9', '8'], '8'))
  expect(idsOf(updated)).toEqual(['9', '8'])
  expect(updated.cursor).toBe('8')
})

it('shows a page that arrives twice only once', () => {
  const second = pageOf(['3', '2'], '2')
  const loaded = withMore(withNew(NOTHING, pageOf(['5', '4'], '4')), '4', second)
  expect(idsOf(withMore(loaded, '4', second))).toEqual(['5', '4', '3', '2'])
})

it('ignores a page that no longer follows the loaded transfers', () => {
  const restarted = withNew(withNew(NOTHING, pageOf(['5', '4'], '4')), pageOf(['9', '8'], '8'))
  expect(withMore(restarted, '4', pageOf(['3', '2'], '2'))).toBe(restarted)
})
