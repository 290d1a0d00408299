import type { Mode, StoreId } from '../core/ids.ts'
import type { HeldDelivery } from '../ops/events.ts'

const MAX_IN_FLIGHT: Record<Mode, number> = { live: 512, sandbox: 256 }
const MAX_QUEUED: Record<Mode, number> = { live: 4_000, sandbox: 2_000 }
const INITIAL_PER_HOST = 4
export const MAX_PER_HOST = 64

/** Hosts that are not known to respond may together use this share of MAX_IN_FLIGHT. */
const UNRESPONSIVE_SHARE = 0.5
/** A host without attempts in flight may use a larger share: new hosts are served while others fail. */
const FIRST_ATTEMPT_SHARE = 0.75
/** One store may use this share of MAX_IN_FLIGHT. Each payment can name another host, so limits of hosts don't limit a store. */
const STORE_IN_FLIGHT_SHARE = 0.875
/**
 * The queued deliveries of one store may be at most this share of the free places: a quarter of MAX_QUEUED for a store alone, and
 * less the more others queue. So stores whose deliveries stay in the queue always leave places to a store that has none.
 */
const STORE_QUEUED_SHARE = 1 / 3
/** Of the connections that hosts which are not known to respond may use, one store may use this share. */
const STORE_UNRESPONSIVE_SHARE = 0.5
/** A host with attempts in flight counts as unresponsive after this time without a success. */
const UNRESPONSIVE_MS = 300

/** How many deliveries are claimed per permitted connection, so that the next ones are ready to send. */
const PREFETCH_HEALTHY = 32
const PREFETCH_OTHER = 2
const MAX_KNOWN_HOSTS = 10_000

/**
 * The health of a host after an attempt. `healthy`: a response below 500, which counts as a success. `unknown`: nothing was
 * sent, or the attempt was aborted.
 */
export type Health = 'healthy' | 'failing' | 'unknown'

type StoreQueue = {
  readonly name: string
  readonly storeId: StoreId
  readonly host: string
  readonly deliveries: HeldDelivery[]
}
/** A store with deliveries in the queue or in flight. */
type Store = {
  inFlight: number
  /** In flight at hosts that were not known to respond. */
  unresponsiveInFlight: number
  queued: number
  /** Due deliveries of this store may be left in the database because it was busy. */
  isSkipped: boolean
  /** The queues that wait until the store may have another connection. */
  blocked: StoreQueue[]
}
type Host = {
  inFlight: number
  queued: number
  maxInFlight: number
  isHealthy: boolean
  /** The time of the last success or, after an idle period, of the first attempt. */
  lastActiveMs: number
  /** Due deliveries of this host may be left in the database because it was busy. */
  isSkipped: boolean
  /** The queues that wait until the host may have another connection. */
  blocked: StoreQueue[]
}

/**
 * Decides which delivery is sent next. Each store has a queue per host, and the queues take turns, so that
 * no store waits behind thousands of another store's events. A host starts with few connections, gets
 * one more with every success and keeps one after a failure. `onRoom` is called when there is room
 * again for deliveries that were left in the database.
 */
export function createSendQueue(
  mode: Mode,
  { send, onRoom }: { send: (held: HeldDelivery) => Promise<Health>; onRoom: () => void },
) {
  const queues = new Map<string, StoreQueue>()
  const hosts = new Map<string, Host>()
  const stores = new Map<StoreId, Store>()
  let ready: StoreQueue[] = []
  let inFlight = 0
  let unresponsiveInFlight = 0
  let queued = 0
  /** Due deliveries may be left in the database because the queue was full. */
  let isSkipped = false

  function hostOf(name: string): Host {
    const existing = hosts.get(name)
    if (existing !== undefined) return existing
    if (hosts.size >= MAX_KNOWN_HOSTS) {
      for (const [other, host] of hosts) {
        if (host.inFlight === 0 && host.queued === 0) hosts.delete(other)
      }
    }
    const created: Host = {
      inFlight: 0,
      queued: 0,
      maxInFlight: INITIAL_PER_HOST,
      isHealthy: false,
      lastActiveMs: 0,
      isSkipped: false,
      blocked: [],
    }
    hosts.set(name, created)
    return created
  }

  function storeOf(storeId: StoreId): Store {
    const existing = stores.get(storeId)
    if (existing !== undefined) return existing
    const created: Store = {
      inFlight: 0,
      unresponsiveInFlight: 0,
      queued: 0,
      isSkipped: false,
      blocked: [],
    }
    stores.set(storeId, created)
    return created
  }

  const maxOfStore = MAX_IN_FLIGHT[mode] * STORE_IN_FLIGHT_SHARE
  /** `added` deliveries of any store are about to be queued. */
  const storeCapacity = (added = 0) =>
    Math.max(0, Math.ceil((MAX_QUEUED[mode] - queued - added) * STORE_QUEUED_SHARE))
  const roomOfStore = (storeId: StoreId, added = 0) =>
    storeCapacity(added) - (stores.get(storeId)?.queued ?? 0)
  const isStoreBusy = (storeId: StoreId) => roomOfStore(storeId) * 2 < storeCapacity()

  const capacityOf = (host: Host) =>
    host.maxInFlight * (host.isHealthy ? PREFETCH_HEALTHY : PREFETCH_OTHER)
  const roomOf = (host: Host) => capacityOf(host) - host.inFlight - host.queued
  /** Deliveries that are claimed together share a query, so don't claim for only a few free slots. */
  const isBusy = (host: Host) => roomOf(host) * 2 < capacityOf(host)
  /** A healthy host may have stopped responding since. Then none of its attempts in flight completes. */
  const isResponsive = (host: Host) =>
    host.isHealthy &&
    (host.inFlight === 0 || performance.now() - host.lastActiveMs < UNRESPONSIVE_MS)

  function sendNext(): void {
    const waitingForShare: StoreQueue[] = []
    while (inFlight < MAX_IN_FLIGHT[mode]) {
      const queue = ready.shift()
      if (queue === undefined) break
      const host = hostOf(queue.host)
      const store = storeOf(queue.storeId)
      const wasResponsive = isResponsive(host)
      const max = wasResponsive ? host.maxInFlight : Math.min(host.maxInFlight, INITIAL_PER_HOST)
      if (store.inFlight >= maxOfStore) {
        store.blocked.push(queue)
      } else if (host.inFlight >= max) {
        host.blocked.push(queue)
      } else if (!wasResponsive && isShareUsed(store, host)) {
        waitingForShare.push(queue)
      } else {
        start(queue.deliveries.shift()!, host, wasResponsive)
        if (queue.deliveries.length > 0) ready.push(queue)
        else queues.delete(queue.name)
      }
      unblockOne(store)
    }
    ready.push(...waitingForShare)
  }

  /** Only one queue: a store can have a thousand, and the next one follows when this one did not use the connection. */
  function unblockOne(store: Store): void {
    if (store.inFlight < maxOfStore) ready.push(...store.blocked.splice(0, 1))
  }

  /** Whether all hosts that are not known to respond, or those of the store, must wait until another attempt ends. */
  function isShareUsed(store: Store, host: Host): boolean {
    const share = host.inFlight === 0 ? FIRST_ATTEMPT_SHARE : UNRESPONSIVE_SHARE
    const max = MAX_IN_FLIGHT[mode] * share
    return (
      unresponsiveInFlight >= max || store.unresponsiveInFlight >= max * STORE_UNRESPONSIVE_SHARE
    )
  }

  function start(held: HeldDelivery, host: Host, wasResponsive: boolean): void {
    const store = storeOf(held.storeId)
    if (host.inFlight === 0) host.lastActiveMs = performance.now()
    inFlight += 1
    queued -= 1
    host.queued -= 1
    host.inFlight += 1
    store.queued -= 1
    store.inFlight += 1
    if (!wasResponsive) {
      unresponsiveInFlight += 1
      store.unresponsiveInFlight += 1
    }
    void send(held).then((health) => {
      inFlight -= 1
      host.inFlight -= 1
      store.inFlight -= 1
      if (!wasResponsive) {
        unresponsiveInFlight -= 1
        store.unresponsiveInFlight -= 1
      }
      if (health !== 'unknown') host.isHealthy = health === 'healthy'
      if (health === 'healthy') {
        host.lastActiveMs = performance.now()
        host.maxInFlight = Math.min(MAX_PER_HOST, host.maxInFlight + 1)
      }
      if (health === 'failing') host.maxInFlight = 1
      ready.push(...host.blocked.splice(0))
      unblockOne(store)
      sendNext()
      reportRoom(host, held.storeId)
    })
  }

  function reportRoom(host: Host, storeId: StoreId): void {
    const store = storeOf(storeId)
    const hasHostRoom = host.isSkipped && !isBusy(host)
    const hasStoreRoom = store.isSkipped && !isStoreBusy(storeId)
    const hasRoom = isSkipped && queued * 2 <= MAX_QUEUED[mode]
    if (hasHostRoom) host.isSkipped = false
    if (hasStoreRoom) store.isSkipped = false
    if (hasRoom) isSkipped = false
    if (store.inFlight === 0 && store.queued === 0) stores.delete(storeId)
    if (hasHostRoom || hasStoreRoom || hasRoom) onRoom()
  }

  return {
    add(deliveries: readonly HeldDelivery[]): void {
      for (const held of deliveries) {
        const { storeId, host } = held
        const name = `${storeId} ${host}`
        let queue = queues.get(name)
        if (queue === undefined) {
          queue = { name, storeId, host, deliveries: [] }
          queues.set(name, queue)
          ready.push(queue)
        }
        queue.deliveries.push(held)
        hostOf(host).queued += 1
        storeOf(storeId).queued += 1
        queued += 1
      }
      sendNext()
    },
    room: () => {
      const room = MAX_QUEUED[mode] - queued
      if (room <= 0) isSkipped = true
      return room
    },
    roomOfHost: (name: string) => {
      const host = hosts.get(name)
      return host === undefined ? INITIAL_PER_HOST * PREFETCH_OTHER : roomOf(host)
    },
    roomOfStore,
    /** Whether a due delivery of this store and host could be claimed. If not, `onRoom` is called later. */
    hasRoomFor: ({ storeId, host: name }: Pick<HeldDelivery, 'storeId' | 'host'>) => {
      if (isStoreBusy(storeId)) {
        storeOf(storeId).isSkipped = true
        return false
      }
      const host = hosts.get(name)
      if (queued >= MAX_QUEUED[mode]) isSkipped = true
      if (host === undefined || !isBusy(host)) return queued < MAX_QUEUED[mode]
      host.isSkipped = true
      return false
    },
    /** The hosts to skip when claiming, until `onRoom` is called. */
    busyHosts: () => {
      const busy = [...hosts].filter(([, host]) => isBusy(host))
      for (const [, host] of busy) host.isSkipped = true
      return busy.map(([name]) => name)
    },
    /** The stores to skip when claiming, until `onRoom` is called. */
    busyStores: () => {
      const busy = [...stores].filter(([storeId]) => isStoreBusy(storeId))
      for (const [, store] of busy) store.isSkipped = true
      return busy.map(([storeId]) => storeId)
    },
    inFlight: () => inFlight,
    /** Removes and returns the deliveries that have not been started. */
    clear(): HeldDelivery[] {
      const all = [...queues.values()].flatMap((queue) => queue.deliveries.splice(0))
      queues.clear()
      ready = []
      for (const host of hosts.values()) {
        host.queued = 0
        host.blocked = []
      }
      for (const store of stores.values()) {
        store.queued = 0
        store.blocked = []
      }
      queued = 0
      return all
    },
  }
}

export type SendQueue = ReturnType<typeof createSendQueue>
