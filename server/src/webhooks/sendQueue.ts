import type { Mode } from '../core/ids.ts'
import type { Held } from '../ops/events.ts'

const MAX_IN_FLIGHT: Record<Mode, number> = { live: 512, sandbox: 256 }
const MAX_WAITING: Record<Mode, number> = { live: 4_000, sandbox: 2_000 }
/** Hosts that do not show that they answer may use so much of the above, the others all. */
const UNPROVEN_SHARE = 0.5
/** A host's first connection may use a little more, so that somebody new is heard beside the dead. */
const FIRST_SHARE = 0.75
const FIRST_PER_HOST = 4
export const MAX_PER_HOST = 64
/** Who has been called for this long without answering anything is not given many more calls. */
const SILENT_MS = 300
/** So many times what may go at once is taken on, to be at hand when the first return. */
const AHEAD = 32
const AHEAD_UNPROVEN = 2
const MAX_KNOWN_HOSTS = 10_000

/** What an attempt tells of a host; nothing, where it did not come to one. */
export type Health = 'well' | 'ill' | 'unknown'

type Lane = { readonly name: string; readonly host: string; readonly waiting: Held[] }
type Host = {
  inFlight: number
  queued: number
  allowed: number
  isProven: boolean
  /** When it last answered or, where it was idle, was first called again. */
  heardMs: number
  isPassedOver: boolean
  parked: Lane[]
}

/**
 * Who is sent next. A lane is one store's events for one host; lanes take turns, so that no store
 * waits behind another's thousands. A host begins with few connections, gets more with every success
 * and is left with one after a failure, so that dead receivers hold next to nothing. `onRoom` is told
 * when there is room again for hosts that were passed over.
 */
export function createLanes(
  mode: Mode,
  { send, onRoom }: { send: (held: Held) => Promise<Health>; onRoom: () => void },
) {
  const lanes = new Map<string, Lane>()
  const hosts = new Map<string, Host>()
  let ready: Lane[] = []
  let inFlight = 0
  let unproven = 0
  let waiting = 0
  let isPassedOver = false

  function hostOf(name: string): Host {
    const known = hosts.get(name)
    if (known !== undefined) return known
    if (hosts.size >= MAX_KNOWN_HOSTS) {
      for (const [other, host] of hosts) {
        if (host.inFlight === 0 && host.queued === 0) hosts.delete(other)
      }
    }
    const fresh: Host = {
      inFlight: 0,
      queued: 0,
      allowed: FIRST_PER_HOST,
      isProven: false,
      heardMs: 0,
      isPassedOver: false,
      parked: [],
    }
    hosts.set(name, fresh)
    return fresh
  }

  const capacityOf = (host: Host) => host.allowed * (host.isProven ? AHEAD : AHEAD_UNPROVEN)
  const roomOf = (host: Host) => capacityOf(host) - host.inFlight - host.queued
  /** What is taken on together shares a look at the queue, so nobody looks for a few places. */
  const isBusy = (host: Host) => roomOf(host) * 2 < capacityOf(host)
  /** One that answered until now may have died: it is silent then, with everything it was given. */
  const isTrusted = (host: Host) =>
    host.isProven && (host.inFlight === 0 || performance.now() - host.heardMs < SILENT_MS)

  function pump(): void {
    const parkedForShare: Lane[] = []
    while (inFlight < MAX_IN_FLIGHT[mode]) {
      const lane = ready.shift()
      if (lane === undefined) break
      const host = hostOf(lane.host)
      const trusted = isTrusted(host)
      const share = host.inFlight === 0 ? FIRST_SHARE : UNPROVEN_SHARE
      if (host.inFlight >= (trusted ? host.allowed : Math.min(host.allowed, FIRST_PER_HOST))) {
        host.parked.push(lane)
      } else if (!trusted && unproven >= MAX_IN_FLIGHT[mode] * share) {
        parkedForShare.push(lane)
      } else {
        start(lane.waiting.shift()!, host, trusted)
        if (lane.waiting.length > 0) ready.push(lane)
        else lanes.delete(lane.name)
      }
    }
    ready.push(...parkedForShare)
  }

  function start(held: Held, host: Host, trusted: boolean): void {
    if (host.inFlight === 0) host.heardMs = performance.now()
    inFlight += 1
    waiting -= 1
    host.queued -= 1
    host.inFlight += 1
    if (!trusted) unproven += 1
    void send(held).then((health) => {
      inFlight -= 1
      host.inFlight -= 1
      if (!trusted) unproven -= 1
      if (health !== 'unknown') host.isProven = health === 'well'
      if (health === 'well') {
        host.heardMs = performance.now()
        host.allowed = Math.min(MAX_PER_HOST, host.allowed + 1)
      }
      if (health === 'ill') host.allowed = 1
      ready.push(...host.parked.splice(0))
      pump()
      tellOfRoom(host)
    })
  }

  function tellOfRoom(host: Host): void {
    const hasHostRoom = host.isPassedOver && !isBusy(host)
    const hasRoom = isPassedOver && waiting * 2 <= MAX_WAITING[mode]
    if (hasHostRoom) host.isPassedOver = false
    if (hasRoom) isPassedOver = false
    if (hasHostRoom || hasRoom) onRoom()
  }

  return {
    take(held: readonly Held[]): void {
      for (const one of held) {
        const name = `${one.storeId} ${one.host}`
        const known = lanes.get(name)
        const lane = known ?? { name, host: one.host, waiting: [] }
        if (known === undefined) {
          lanes.set(name, lane)
          ready.push(lane)
        }
        lane.waiting.push(one)
        hostOf(one.host).queued += 1
        waiting += 1
      }
      pump()
    },
    room: () => {
      const room = MAX_WAITING[mode] - waiting
      if (room <= 0) isPassedOver = true
      return room
    },
    roomOfHost: (name: string) => {
      const host = hosts.get(name)
      return host === undefined ? FIRST_PER_HOST * AHEAD_UNPROVEN : roomOf(host)
    },
    /** Whether something that was left in the queue could be taken on; if not, `onRoom` tells when. */
    hasRoomFor: (name: string) => {
      const host = hosts.get(name)
      if (waiting >= MAX_WAITING[mode]) isPassedOver = true
      if (host === undefined || !isBusy(host)) return waiting < MAX_WAITING[mode]
      host.isPassedOver = true
      return false
    },
    /** Those that nothing more is taken on for until `onRoom` is told. */
    busyHosts: () => {
      const busy = [...hosts].filter(([, host]) => isBusy(host))
      for (const [, host] of busy) host.isPassedOver = true
      return busy.map(([name]) => name)
    },
    inFlight: () => inFlight,
    /** Everything that has not begun, taken back out. */
    empty(): Held[] {
      const all = [...lanes.values()].flatMap((lane) => lane.waiting.splice(0))
      lanes.clear()
      ready = []
      for (const host of hosts.values()) {
        host.queued = 0
        host.parked = []
      }
      waiting = 0
      return all
    },
  }
}

export type Lanes = ReturnType<typeof createLanes>
