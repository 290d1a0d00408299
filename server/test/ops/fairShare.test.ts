import { describe, expect, it } from 'vitest'
import { fairShare } from '../../src/ops/deliveries.ts'
import type { HeldDelivery } from '../../src/ops/events.ts'
import { newDeliveries } from '../setup/heldDeliveries.ts'

describe('fairShare', () => {
  const roomOfStore = () => 1_000
  const share = (
    due: readonly HeldDelivery[],
    room: number,
    roomOfHost = (_host: string) => 1_000,
  ) =>
    fairShare(due, { room, roomOfHost, roomOfStore }).map(
      ({ storeId, host }) => `${storeId}${host}`,
    )

  it('respects the room of a store, across all hosts', () => {
    const due = [
      ...newDeliveries(2, 1, 'a'),
      ...newDeliveries(2, 1, 'b'),
      ...newDeliveries(1, 2, 'c'),
    ]
    const room = { room: 100, roomOfHost: () => 100 }
    const ofStore = (storeId: number) => (storeId === 1 ? 3 : 100)
    expect(fairShare(due, { ...room, roomOfStore: ofStore })).toEqual([
      due[0],
      due[4],
      due[1],
      due[2],
    ])
  })

  it('takes one delivery of each store in turn', () => {
    const due = [
      ...newDeliveries(5, 1, 'a'),
      ...newDeliveries(2, 2, 'b'),
      ...newDeliveries(1, 3, 'c'),
    ]
    expect(share(due, 100)).toEqual(['1a', '2b', '3c', '1a', '2b', '1a', '1a', '1a'])
    expect(share(due, 4)).toEqual(['1a', '2b', '3c', '1a'])
    expect(share(due, 2)).toEqual(['1a', '2b'])
  })

  it('keeps the order of each store, the oldest first', () => {
    const due = newDeliveries(5, 1, 'a')
    expect(fairShare(due, { room: 3, roomOfHost: () => 9, roomOfStore })).toEqual(due.slice(0, 3))
  })

  it('respects the room of a host, across all stores', () => {
    const due = [
      ...newDeliveries(10, 1, 'a'),
      ...newDeliveries(10, 2, 'a'),
      ...newDeliveries(3, 3, 'b'),
    ]
    const taken = share(due, 100, (host) => (host === 'a' ? 3 : 1_000))
    expect(taken).toEqual(['1a', '2a', '3b', '1a', '3b', '3b'])
  })

  it("a full host doesn't block a store's other hosts", () => {
    const due = [...newDeliveries(3, 1, 'failing'), ...newDeliveries(2, 1, 'healthy')]
    expect(share(due, 10, (host) => (host === 'failing' ? 0 : 5))).toEqual(['1healthy', '1healthy'])
    expect(share(due, 10, (host) => (host === 'failing' ? -7 : 5))).toEqual([
      '1healthy',
      '1healthy',
    ])
  })

  it.each([0, -1])('takes nothing if the room is %i', (room) => {
    expect(share(newDeliveries(3, 1, 'a'), room)).toEqual([])
  })

  it('takes nothing from an empty list', () => expect(share([], 10)).toEqual([]))
})
