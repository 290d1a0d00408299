import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { onSiblingCounts, sendToSiblings } from '../../../platform/siblings.ts'

/** Clients choose the keys, so their number is limited. */
const MAX_KEYS = 10_000

/**
 * Limits events per key and minute with a leaky bucket. The name is unique within a process. Throttles with the same name in
 * processes that share a port count together.
 */
export function createThrottle(name: string, perMinute: number) {
  const buckets = new Map<string, { level: number; atMs: number }>()

  function levelOf(key: string, nowMs: number): number {
    // Fast path: failures are rare, so a throttle of failures is usually empty.
    if (buckets.size === 0) return 0
    const bucket = buckets.get(key)
    if (bucket === undefined) return 0
    return Math.max(0, bucket.level - ((nowMs - bucket.atMs) * perMinute) / 60_000)
  }

  function fill(key: string, level: number, atMs: number): void {
    // Insertion order is least recently used first, so idle keys are evicted first.
    buckets.delete(key)
    buckets.set(key, { level, atMs })
    if (buckets.size > MAX_KEYS) {
      const oldest = buckets.keys().next()
      if (!oldest.done) buckets.delete(oldest.value)
    }
  }

  function add(key: string, count: number): void {
    const nowMs = performance.now()
    fill(key, Math.max(0, levelOf(key, nowMs) + count), nowMs)
  }
  onSiblingCounts(name, add)

  return {
    isEmpty: (key: string): boolean => levelOf(key, performance.now()) === 0,
    add(key: string, count: number): void {
      add(key, count)
      sendToSiblings(name, key, count)
    },
    /** Adds one and returns true, or returns false if the limit is reached. */
    take(key: string): boolean {
      const nowMs = performance.now()
      const level = levelOf(key, nowMs)
      if (level > perMinute - 1) return false
      fill(key, level + 1, nowMs)
      sendToSiblings(name, key, 1)
      return true
    },
  }
}

export type Throttle = ReturnType<typeof createThrottle>

/**
 * The address of a client, in the form that security events and sessions show. X-Forwarded-For can contain other text instead of
 * an address. Then it is the address of the connection.
 */
export function clientAddressOf({ ip, socket }: FastifyRequest): string {
  const address = withoutPort(ip)
  return ipv4Of(isIP(address) === 0 ? (socket.remoteAddress ?? '') : address)
}

/** The network of a client, which is its key in throttles and limits. */
export const clientNetworkOf = (request: FastifyRequest): string =>
  networkOf(clientAddressOf(request))

/** Like `clientNetworkOf`, for limits over many networks of one owner. */
export const clientWiderNetworkOf = (request: FastifyRequest): string =>
  widerNetworkOf(clientAddressOf(request))

/** Some proxies send the port of the client with its address. The port differs for each connection. */
const WITH_PORT = /^(?:\[(.+)\]|([\d.]+))(?::\d+)?$/

function withoutPort(address: string): string {
  // IPv4 is the most frequent, and this runs for every request with an API key.
  if (!address.includes(':')) return address
  const [, ipv6, ipv4] = WITH_PORT.exec(address) ?? []
  return ipv6 ?? ipv4 ?? address
}

/** An IPv6 address is reduced to its /64, because one subscriber has at least that many addresses. */
function networkOf(address: string): string {
  const groups = ipv6Groups(address)
  return groups === null ? ipv4Of(address) : `${groups.slice(0, 4).join(':')}::/64`
}

/** The /48 of IPv6 or the /24 of IPv4, which one subscriber or data centre may own. */
function widerNetworkOf(address: string): string {
  const groups = ipv6Groups(address)
  if (groups !== null) return `${groups.slice(0, 3).join(':')}::/48`
  return ipv4Of(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')
}

const IPV4_IN_IPV6 = /^::ffff:([\d.]+)$/i

const ipv4Of = (address: string) => IPV4_IN_IPV6.exec(address)?.[1] ?? address

/** All eight groups in canonical form. Null if the address is not IPv6, or is IPv4 in IPv6. */
function ipv6Groups(address: string): string[] | null {
  if (!address.includes(':')) return null
  if (IPV4_IN_IPV6.test(address) || !isIPv6(address)) return null
  const [head = '', tail] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const left = 8 - groups(head).length - groups(tail ?? '').length
  const zeros = Array<string>(tail === undefined ? 0 : left).fill('0')
  const all = [...groups(head), ...zeros, ...groups(tail ?? '')]
  return all.map((group) => Number.parseInt(group, 16).toString(16))
}
