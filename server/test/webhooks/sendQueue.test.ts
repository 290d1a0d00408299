import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Mode, StoreId } from '../../src/core/ids.ts'
import { fairShare } from '../../src/ops/deliveries.ts'
import type { Held } from '../../src/ops/events.ts'
import {
  createSendQueue,
  type Health,
  MAX_PER_HOST,
  type SendQueue,
} from '../../src/webhooks/sendQueue.ts'

let number = 0
const held = (storeId: number, host: string): Held => {
  number += 1
  return {
    storeId: storeId as StoreId,
    host,
    url: `https://${host}/`,
    sequence: 1,
    attempts: 0,
    paymentId: `pay_${number}` as Held['paymentId'],
    mode: 'live',
    body: '',
    lease: 'l',
    createdAt: new Date(),
    heldUntilMs: performance.now() + 45_000,
  }
}
const many = (count: number, storeId: number, host: string) =>
  Array.from({ length: count }, () => held(storeId, host))

type Sent = { readonly one: Held; readonly end: (health: Health) => Promise<void> }

/** A send queue whose attempts end when the test ends them. */
function watched(mode: Mode = 'live') {
  const open: Sent[] = []
  const order: Held[] = []
  const onRoom = vi.fn()
  let most = 0
  const send = (one: Held) => {
    order.push(one)
    return new Promise<Health>((resolve) => {
      const sent: Sent = {
        one,
        async end(health) {
          open.splice(open.indexOf(sent), 1)
          resolve(health)
          await new Promise((done) => setImmediate(done))
        },
      }
      open.push(sent)
      most = Math.max(most, open.length)
    })
  }
  const queue: SendQueue = createSendQueue(mode, { send, onRoom })
  const openOf = (host: string) => open.filter(({ one }) => one.host === host)
  return { queue, open, openOf, order, onRoom, most: () => most }
}

let w: ReturnType<typeof watched>
beforeEach(() => {
  w = watched()
})

describe('a host', () => {
  it('starts with four connections, gets one more with each success, and never exceeds the limit', async () => {
    w.queue.add(many(2_000, 1, 'a'))
    expect(w.open).toHaveLength(4)
    for (let allowed = 5; allowed < MAX_PER_HOST + 10; allowed++) {
      await w.open[0]!.end('healthy')
      expect(w.open).toHaveLength(Math.min(allowed, MAX_PER_HOST))
    }
  })

  it('that fails keeps one connection, and recovers step by step', async () => {
    w.queue.add(many(200, 1, 'a'))
    for (let n = 0; n < 10; n++) await w.open[0]!.end('healthy')
    expect(w.open).toHaveLength(14)
    await w.open[0]!.end('failing')
    expect(w.open).toHaveLength(13)
    while (w.open.length > 1) await w.open[0]!.end('failing')
    await w.open[0]!.end('failing')
    expect(w.open).toHaveLength(1)
    await w.open[0]!.end('healthy')
    expect(w.open).toHaveLength(2)
    await w.open[0]!.end('healthy')
    expect(w.open).toHaveLength(3)
  })

  it('keeps its limit after an attempt with an unknown result', async () => {
    w.queue.add(many(50, 1, 'a'))
    for (let n = 0; n < 10; n++) await w.open[0]!.end('unknown')
    expect(w.open).toHaveLength(4)
  })

  it("that never responds doesn't affect another", async () => {
    w.queue.add([...many(1_000, 1, 'failing'), ...many(50, 1, 'healthy')])
    expect([w.openOf('failing').length, w.openOf('healthy').length]).toEqual([4, 4])
    for (let n = 0; n < 46; n++) await w.openOf('healthy')[0]!.end('healthy')
    expect(w.openOf('failing')).toHaveLength(4)
    expect(w.order.filter((one) => one.host === 'healthy')).toHaveLength(50)
  })

  it('has room for some deliveries ahead, is busy when it is used up, and reports when there is room again', async () => {
    const room = w.queue.roomOfHost('a')
    expect(room).toBeGreaterThanOrEqual(4)
    w.queue.add(many(room, 1, 'a'))
    expect(w.queue.roomOfHost('a')).toBe(0)
    expect(w.queue.busyHosts()).toEqual(['a'])
    expect(w.onRoom).not.toHaveBeenCalled()
    while (w.open.length > 0) await w.open[0]!.end('healthy')
    expect(w.onRoom).toHaveBeenCalled()
    expect(w.queue.busyHosts()).toEqual([])
    expect(w.queue.roomOfHost('a')).toBeGreaterThan(room)
  })

  it('that fails has less room than a new one', async () => {
    w.queue.add(many(1, 1, 'a'))
    await w.open[0]!.end('failing')
    expect(w.queue.roomOfHost('a')).toBeLessThan(w.queue.roomOfHost('new'))
    expect(w.queue.roomOfHost('a')).toBeGreaterThan(0)
  })
})

describe('all hosts', () => {
  it.each<[Mode, number]>([
    ['live', 512],
    ['sandbox', 256],
  ])('%s: at most %i in flight', async (mode, limit) => {
    const v = watched(mode)
    const hosts = Array.from({ length: 100 }, (_, n) => `host-${n}`)
    for (const host of hosts) v.queue.add(many(20, 1, host))
    for (let n = 0; n < 1_500; n++) await v.open[n % v.open.length]?.end('healthy')
    expect(v.most()).toBeLessThanOrEqual(limit)
    expect(v.queue.inFlight()).toBe(v.open.length)
  })

  it("hosts that never respond can't use all connections: others are still served", async () => {
    w.queue.add(many(1, 1, 'known'))
    await w.open[0]!.end('healthy')
    for (let n = 0; n < 1_000; n++) w.queue.add(many(2, 2, `hanging-${n}`))
    const hanging = w.open.length
    expect(hanging).toBeLessThan(512)
    w.queue.add(many(20, 1, 'known'))
    expect(w.openOf('known').length).toBeGreaterThanOrEqual(4)
    while (w.openOf('known').length > 0) await w.openOf('known')[0]!.end('healthy')
    expect(w.order.filter((one) => one.host === 'known')).toHaveLength(21)
    expect(w.open).toHaveLength(hanging)
  })

  it("queued deliveries reduce the room, those in flight don't", () => {
    const room = w.queue.room()
    w.queue.add(many(10, 1, 'a'))
    expect(w.queue.inFlight()).toBe(4)
    expect(w.queue.room()).toBe(room - 6)
  })

  it('every delivery is sent exactly once, in the order of its store and host', async () => {
    const stores = [1, 2, 3]
    const all = stores.flatMap((store) => ['a', 'b'].flatMap((host) => many(40, store, host)))
    w.queue.add(all)
    for (let n = 0; w.open.length > 0; n++) {
      await w.open[n % w.open.length]!.end((['healthy', 'failing', 'unknown'] as const)[n % 3]!)
    }
    expect(new Set(w.order)).toEqual(new Set(all))
    expect(w.order).toHaveLength(all.length)
    for (const store of stores) {
      const mine = (one: Held) => one.storeId === store && one.host === 'a'
      expect(w.order.filter(mine)).toEqual(all.filter(mine))
    }
    expect(w.queue.inFlight()).toBe(0)
  })

  it('stores take turns at one host, however many deliveries one of them has', async () => {
    w.queue.add(many(500, 1, 'a'))
    w.queue.add(many(3, 2, 'a'))
    for (let n = 0; n < 8; n++) await w.open[0]!.end('healthy')
    expect(w.order.filter((one) => one.storeId === 2)).toHaveLength(3)
  })

  it('clear() returns deliveries that have not started, and lets the others end', async () => {
    const all = [...many(10, 1, 'a'), ...many(10, 2, 'b')]
    w.queue.add(all)
    const begun = w.open.map(({ one }) => one)
    expect(begun).toHaveLength(8)
    const back = w.queue.clear()
    expect(new Set([...begun, ...back])).toEqual(new Set(all))
    expect(back).toHaveLength(12)
    expect(w.queue.clear()).toEqual([])
    while (w.open.length > 0) await w.open[0]!.end('healthy')
    expect(w.order).toHaveLength(8)
    expect(w.queue.inFlight()).toBe(0)
    w.queue.add(many(1, 1, 'a'))
    expect(w.open).toHaveLength(1)
  })
})

describe('fairShare', () => {
  const share = (due: readonly Held[], room: number, roomOfHost = (_host: string) => 1_000) =>
    fairShare(due, { room, roomOfHost }).map(({ storeId, host }) => `${storeId}${host}`)

  it('takes one delivery of each store in turn', () => {
    const due = [...many(5, 1, 'a'), ...many(2, 2, 'b'), ...many(1, 3, 'c')]
    expect(share(due, 100)).toEqual(['1a', '2b', '3c', '1a', '2b', '1a', '1a', '1a'])
    expect(share(due, 4)).toEqual(['1a', '2b', '3c', '1a'])
    expect(share(due, 2)).toEqual(['1a', '2b'])
  })

  it('keeps the order of each store, the oldest first', () => {
    const due = many(5, 1, 'a')
    expect(fairShare(due, { room: 3, roomOfHost: () => 9 })).toEqual(due.slice(0, 3))
  })

  it('respects the room of a host, across all stores', () => {
    const due = [...many(10, 1, 'a'), ...many(10, 2, 'a'), ...many(3, 3, 'b')]
    const taken = share(due, 100, (host) => (host === 'a' ? 3 : 1_000))
    expect(taken).toEqual(['1a', '2a', '3b', '1a', '3b', '3b'])
  })

  it("a full host doesn't block a store's other hosts", () => {
    const due = [...many(3, 1, 'failing'), ...many(2, 1, 'healthy')]
    expect(share(due, 10, (host) => (host === 'failing' ? 0 : 5))).toEqual(['1healthy', '1healthy'])
    expect(share(due, 10, (host) => (host === 'failing' ? -7 : 5))).toEqual([
      '1healthy',
      '1healthy',
    ])
  })

  it.each([0, -1])('takes nothing if the room is %i', (room) => {
    expect(share(many(3, 1, 'a'), room)).toEqual([])
  })

  it('takes nothing from an empty list', () => expect(share([], 10)).toEqual([]))
})
