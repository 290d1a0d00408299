import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Mode, StoreId } from '../../src/core/ids.ts'
import { fairShare } from '../../src/ops/deliveries.ts'
import type { HeldDelivery } from '../../src/ops/events.ts'
import {
  createSendQueue,
  type Health,
  MAX_PER_HOST,
  type SendQueue,
} from '../../src/webhooks/sendQueue.ts'
import { newDeliveries, newDelivery } from '../setup/heldDeliveries.ts'

type Sent = { readonly delivery: HeldDelivery; readonly end: (health: Health) => Promise<void> }

/** A send queue whose attempts end when the test ends them. */
function createWatchedQueue(mode: Mode = 'live') {
  const open: Sent[] = []
  const order: HeldDelivery[] = []
  const onRoom = vi.fn()
  let maxInFlight = 0
  const send = (delivery: HeldDelivery) => {
    order.push(delivery)
    return new Promise<Health>((resolve) => {
      const sent: Sent = {
        delivery,
        async end(health) {
          open.splice(open.indexOf(sent), 1)
          resolve(health)
          await new Promise((done) => setImmediate(done))
        },
      }
      open.push(sent)
      maxInFlight = Math.max(maxInFlight, open.length)
    })
  }
  const queue: SendQueue = createSendQueue(mode, { send, onRoom })
  const openOf = (host: string) => open.filter(({ delivery }) => delivery.host === host)
  return { queue, open, openOf, order, onRoom, maxInFlight: () => maxInFlight }
}

let watched: ReturnType<typeof createWatchedQueue>
beforeEach(() => {
  watched = createWatchedQueue()
})

describe('a host', () => {
  it('starts with four connections, gets one more with each success, and never exceeds the limit', async () => {
    watched.queue.add(newDeliveries(2_000, 1, 'a'))
    expect(watched.open).toHaveLength(4)
    for (let allowed = 5; allowed < MAX_PER_HOST + 10; allowed++) {
      await watched.open[0]!.end('healthy')
      expect(watched.open).toHaveLength(Math.min(allowed, MAX_PER_HOST))
    }
  })

  it('that fails keeps one connection, and recovers step by step', async () => {
    watched.queue.add(newDeliveries(200, 1, 'a'))
    for (let n = 0; n < 10; n++) await watched.open[0]!.end('healthy')
    expect(watched.open).toHaveLength(14)
    await watched.open[0]!.end('failing')
    expect(watched.open).toHaveLength(13)
    while (watched.open.length > 1) await watched.open[0]!.end('failing')
    await watched.open[0]!.end('failing')
    expect(watched.open).toHaveLength(1)
    await watched.open[0]!.end('healthy')
    expect(watched.open).toHaveLength(2)
    await watched.open[0]!.end('healthy')
    expect(watched.open).toHaveLength(3)
  })

  it('keeps its limit after an attempt with an unknown result', async () => {
    watched.queue.add(newDeliveries(50, 1, 'a'))
    for (let n = 0; n < 10; n++) await watched.open[0]!.end('unknown')
    expect(watched.open).toHaveLength(4)
  })

  it("that never responds doesn't affect another", async () => {
    watched.queue.add([...newDeliveries(1_000, 1, 'failing'), ...newDeliveries(50, 1, 'healthy')])
    expect([watched.openOf('failing').length, watched.openOf('healthy').length]).toEqual([4, 4])
    for (let n = 0; n < 46; n++) await watched.openOf('healthy')[0]!.end('healthy')
    expect(watched.openOf('failing')).toHaveLength(4)
    expect(watched.order.filter((delivery) => delivery.host === 'healthy')).toHaveLength(50)
  })

  it('has room for some deliveries ahead, is busy when it is used up, and reports when there is room again', async () => {
    const room = watched.queue.roomOfHost('a')
    expect(room).toBeGreaterThanOrEqual(4)
    watched.queue.add(newDeliveries(room, 1, 'a'))
    expect(watched.queue.roomOfHost('a')).toBe(0)
    expect(watched.queue.busyHosts()).toEqual(['a'])
    expect(watched.onRoom).not.toHaveBeenCalled()
    while (watched.open.length > 0) await watched.open[0]!.end('healthy')
    expect(watched.onRoom).toHaveBeenCalled()
    expect(watched.queue.busyHosts()).toEqual([])
    expect(watched.queue.roomOfHost('a')).toBeGreaterThan(room)
  })

  it('that fails has less room than a new one', async () => {
    watched.queue.add(newDeliveries(1, 1, 'a'))
    await watched.open[0]!.end('failing')
    expect(watched.queue.roomOfHost('a')).toBeLessThan(watched.queue.roomOfHost('new'))
    expect(watched.queue.roomOfHost('a')).toBeGreaterThan(0)
  })
})

describe('all hosts', () => {
  it.each<[Mode, number]>([
    ['live', 512],
    ['sandbox', 256],
  ])('%s: at most %i in flight', async (mode, limit) => {
    const queueOfMode = createWatchedQueue(mode)
    const hosts = Array.from({ length: 100 }, (_, n) => `host-${n}`)
    for (const host of hosts) queueOfMode.queue.add(newDeliveries(20, 1, host))
    for (let n = 0; n < 1_500; n++)
      await queueOfMode.open[n % queueOfMode.open.length]?.end('healthy')
    expect(queueOfMode.maxInFlight()).toBeLessThanOrEqual(limit)
    expect(queueOfMode.queue.inFlight()).toBe(queueOfMode.open.length)
  })

  it("hosts that never respond can't use all connections: others are still served", async () => {
    watched.queue.add(newDeliveries(1, 1, 'known'))
    await watched.open[0]!.end('healthy')
    for (let n = 0; n < 1_000; n++) watched.queue.add(newDeliveries(2, 2, `hanging-${n}`))
    const hanging = watched.open.length
    expect(hanging).toBeLessThan(512)
    watched.queue.add(newDeliveries(20, 1, 'known'))
    expect(watched.openOf('known').length).toBeGreaterThanOrEqual(4)
    while (watched.openOf('known').length > 0) await watched.openOf('known')[0]!.end('healthy')
    expect(watched.order.filter((delivery) => delivery.host === 'known')).toHaveLength(21)
    expect(watched.open).toHaveLength(hanging)
  })

  it("queued deliveries reduce the room, those in flight don't", () => {
    const room = watched.queue.room()
    watched.queue.add(newDeliveries(10, 1, 'a'))
    expect(watched.queue.inFlight()).toBe(4)
    expect(watched.queue.room()).toBe(room - 6)
  })

  it('every delivery is sent exactly once, in the order of its store and host', async () => {
    const queues = [1, 2, 3].flatMap((store) =>
      ['a', 'b'].map((host) => newDeliveries(40, store, host)),
    )
    const all = queues.flat()
    watched.queue.add(all)
    for (let n = 0; watched.open.length > 0; n++) {
      await watched.open[n % watched.open.length]!.end(
        (['healthy', 'failing', 'unknown'] as const)[n % 3]!,
      )
    }
    expect(new Set(watched.order)).toEqual(new Set(all))
    expect(watched.order).toHaveLength(all.length)
    for (const queue of queues) {
      expect(watched.order.filter((delivery) => queue.includes(delivery))).toEqual(queue)
    }
    expect(watched.queue.inFlight()).toBe(0)
  })

  it('stores take turns at one host, however many deliveries one of them has', async () => {
    watched.queue.add(newDeliveries(500, 1, 'a'))
    watched.queue.add(newDeliveries(3, 2, 'a'))
    for (let n = 0; n < 8; n++) await watched.open[0]!.end('healthy')
    expect(watched.order.filter((delivery) => delivery.storeId === 2)).toHaveLength(3)
  })

  it('clear() returns deliveries that have not started, and lets the others end', async () => {
    const all = [...newDeliveries(10, 1, 'a'), ...newDeliveries(10, 2, 'b')]
    watched.queue.add(all)
    const started = watched.open.map(({ delivery }) => delivery)
    expect(started).toHaveLength(8)
    const returned = watched.queue.clear()
    expect(new Set([...started, ...returned])).toEqual(new Set(all))
    expect(returned).toHaveLength(12)
    expect(watched.queue.clear()).toEqual([])
    while (watched.open.length > 0) await watched.open[0]!.end('healthy')
    expect(watched.order).toHaveLength(8)
    expect(watched.queue.inFlight()).toBe(0)
    watched.queue.add(newDeliveries(1, 1, 'a'))
    expect(watched.open).toHaveLength(1)
  })
})

describe('one store', () => {
  const MAX_OF_STORE = 448

  it('with many hosts that never respond leaves connections to the others', async () => {
    for (let n = 0; n < 1_000; n++) watched.queue.add(newDeliveries(2, 1, `hanging-${n}`))
    expect(watched.open.length).toBeLessThanOrEqual(MAX_OF_STORE)
    for (let n = 0; n < 10; n++) watched.queue.add(newDeliveries(2, 2, `new-${n}`))
    expect(watched.open.filter(({ delivery }) => delivery.storeId === 2)).toHaveLength(20)
  })

  it('whose hosts stop responding at once leaves connections to the others', async () => {
    const hosts = Array.from({ length: 16 }, (_, n) => `host-${n}`)
    for (const host of hosts) watched.queue.add(newDeliveries(200, 1, host))
    for (let n = 0; n < 2_000; n++) await watched.open[n % watched.open.length]!.end('healthy')
    expect(watched.open).toHaveLength(MAX_OF_STORE)
    watched.queue.add(newDeliveries(4, 2, 'new'))
    expect(watched.openOf('new')).toHaveLength(4)
  })

  it('whose hosts stop responding leaves connections to its other hosts', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
    const hosts = Array.from({ length: 100 }, (_, n) => `host-${n}`)
    for (const host of [...hosts, 'known']) watched.queue.add(newDeliveries(1, 1, host))
    while (watched.open.length > 0) await watched.open[0]!.end('healthy')
    for (const host of hosts) watched.queue.add(newDeliveries(3, 1, host))
    expect(watched.open).toHaveLength(300)
    clock.mockReturnValue(1_000)
    for (const host of hosts) watched.queue.add(newDeliveries(2, 1, host))
    expect(watched.open.length).toBeLessThan(MAX_OF_STORE)
    watched.queue.add(newDeliveries(20, 1, 'known'))
    expect(watched.openOf('known').length).toBeGreaterThanOrEqual(4)
  })

  it('sends everything that waited for its connections, also behind a host that has no more connections', async () => {
    const hosts = Array.from({ length: 100 }, (_, n) => `host-${n}`)
    for (const host of hosts) watched.queue.add(newDeliveries(9, 1, host))
    // The first host fails, so that its queue waits for its only connection.
    while (watched.open.length > 0) {
      const { delivery, end } = watched.open[0]!
      await end(delivery.host === 'host-0' ? 'failing' : 'healthy')
    }
    expect(watched.order).toHaveLength(900)
    expect(watched.maxInFlight()).toBeLessThanOrEqual(MAX_OF_STORE)
  })

  it('with many hosts that respond does not check all of its queues after each attempt', async () => {
    const hosts = Array.from({ length: 500 }, (_, n) => `host-${n}`)
    for (const host of hosts) watched.queue.add(newDeliveries(1, 1, host))
    while (watched.open.length > 0) await watched.open[0]!.end('healthy')
    for (const host of hosts) watched.queue.add(newDeliveries(2, 1, host))
    expect(watched.open).toHaveLength(MAX_OF_STORE)
    const lookups = vi.spyOn(Map.prototype, 'get')
    for (let n = 0; n < 100; n++) await watched.open[0]!.end('healthy')
    const count = lookups.mock.calls.length
    lookups.mockRestore()
    expect(watched.open).toHaveLength(MAX_OF_STORE)
    expect(count / 100).toBeLessThan(50)
  })

  it('has room for some deliveries, is busy when it is used up, and reports when there is room again', async () => {
    const store = 1 as StoreId
    const room = watched.queue.roomOfStore(store)
    expect(room).toBeLessThan(watched.queue.room() / 2)
    for (let n = 0; watched.queue.roomOfStore(store) > 0; n++)
      watched.queue.add(newDeliveries(1, store, `host-${n}`))
    expect(watched.queue.room()).toBe(3_000)
    expect(watched.queue.busyStores()).toEqual([store])
    expect(watched.queue.hasRoomFor({ storeId: store, host: 'other' })).toBe(false)
    expect(watched.queue.hasRoomFor({ storeId: 2 as StoreId, host: 'other' })).toBe(true)
    watched.onRoom.mockClear()
    while (watched.open.length > 0) await watched.open[0]!.end('failing')
    expect(watched.onRoom).toHaveBeenCalled()
    expect(watched.queue.busyStores()).toEqual([])
    expect(watched.queue.roomOfStore(store)).toBe(room)
  })
})

describe('many stores', () => {
  /** Adds what is claimed of these due deliveries. Returns how many that is. */
  function claim(due: readonly HeldDelivery[]): number {
    const { queue } = watched
    const { roomOfHost, roomOfStore } = queue
    const claimed = fairShare(due, { room: queue.room(), roomOfHost, roomOfStore })
    queue.add(claimed)
    return claimed.length
  }

  it('whose hosts never respond share the queue, and leave room in it to others', () => {
    let hostCount = 0
    const newDue = (storeId: number) =>
      Array.from({ length: 200 }, () => newDelivery(storeId, `hanging-${++hostCount}`))
    const hanging = Array.from({ length: 40 }, (_, n) => n + 1)
    while (claim(hanging.flatMap(newDue)) > 0);
    const rooms = hanging.map((storeId) => watched.queue.roomOfStore(storeId as StoreId))
    expect(claim(newDeliveries(8, 41, 'new'))).toBe(8)
    // All had the same part of the queue.
    expect([Math.min(...rooms), Math.max(...rooms)]).toEqual([-1, 0])
  })
})
