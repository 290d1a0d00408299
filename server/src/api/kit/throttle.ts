import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'

/** Rate limits per key: leaky buckets that hold `perMinute` and drain steadily. */
export function throttle({ perMinute, maxKeys }: { perMinute: number; maxKeys: number }) {
  const buckets = new Map<string, { level: number; at: number }>()

  function levelOf(key: string, now: number): number {
    // Most throttles count failures, which are rare, so the map is usually empty.
    if (buckets.size === 0) return 0
    const bucket = buckets.get(key)
    if (bucket === undefined) return 0
    return Math.max(0, bucket.level - ((now - bucket.at) * perMinute) / 60_000)
  }

  function fill(key: string, level: number, at: number): void {
    // Keep the keys in order of use, so that the least recently used one is dropped.
    buckets.delete(key)
    buckets.set(key, { level, at })
    if (buckets.size > maxKeys) {
      const oldest = buckets.keys().next()
      if (!oldest.done) buckets.delete(oldest.value)
    }
  }

  return {
    isFull(key: string): boolean {
      return levelOf(key, performance.now()) > perMinute - 1
    },
    isEmpty: (key: string): boolean => levelOf(key, performance.now()) === 0,
    add(key: string, drops = 1): void {
      const now = performance.now()
      fill(key, Math.max(0, levelOf(key, now) + drops), now)
    },
    /** Adds one if the bucket is not full. */
    take(key: string): boolean {
      const now = performance.now()
      const level = levelOf(key, now)
      if (level > perMinute - 1) return false
      fill(key, level + 1, now)
      return true
    },
  }
}

/** The network that requests are counted by. */
export const sourceOf = (request: FastifyRequest): string => networkOf(request.ip)

/** The address for IPv4, the /64 for IPv6: a subscriber has at least that many addresses. */
export function networkOf(address: string): string {
  const groups = ipv6Groups(address)
  return groups === null ? ipv4Of(address) : `${groups.slice(0, 4).join(':')}::/64`
}

/** A network that one large subscriber or data centre can have: the /24 for IPv4, the /48 for IPv6. */
export function widerNetworkOf(address: string): string {
  const groups = ipv6Groups(address)
  if (groups !== null) return `${groups.slice(0, 3).join(':')}::/48`
  return ipv4Of(address).replace(/^(\d+\.\d+\.\d+)\.\d+$/, '$1.0/24')
}

const IPV4_IN_IPV6 = /^::ffff:([\d.]+)$/i

const ipv4Of = (address: string) => IPV4_IN_IPV6.exec(address)?.[1] ?? address

/** The eight groups in canonical form, or null for IPv4. */
function ipv6Groups(address: string): string[] | null {
  // Fast path: most addresses are IPv4, and this runs for every request.
  if (!address.includes(':')) return null
  if (IPV4_IN_IPV6.test(address) || !isIPv6(address)) return null
  const [head = '', tail] = address.split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const left = 8 - groups(head).length - groups(tail ?? '').length
  const zeros = Array<string>(tail === undefined ? 0 : left).fill('0')
  const all = [...groups(head), ...zeros, ...groups(tail ?? '')]
  return all.map((group) => Number.parseInt(group, 16).toString(16))
}
