import type { FastifyRequest } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import {
  createSignInLimits,
  PINS_OF_FRESH_NETWORKS_PER_MINUTE,
  PINS_OVER_LIMIT_PER_MINUTE,
  PINS_PER_MINUTE,
} from '../../src/api/kit/account/signInLimits.ts'
import { clientWiderNetworkOf } from '../../src/api/kit/http/throttle.ts'

// Counts decay over time, so the clock is stopped.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(performance.now()))
afterEach(() => vi.restoreAllMocks())

const from = (ip: string) => ({ ip }) as FastifyRequest
const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n))

it.each([
  ['a /48 of IPv6', (n: number) => `2001:db8:77:${n.toString(16)}::1`],
  ['a /24 of IPv4', (n: number) => `192.0.2.${n}`],
])('%s is limited to 120 failures a minute across all its addresses', (_, addressOf) => {
  const limits = createSignInLimits('sign-ins', { arePins: false })
  const slots = times(125, (n) => limits(from(addressOf(n)))(null)!.slots)
  expect(slots).toEqual([...Array(120).fill('ordinary'), ...Array(5).fill('overLimit')])
  expect(limits(from('198.51.100.1'))(null)!.slots).toBe('ordinary')
})

it('an address is limited to 60 failures a minute, and successes are not counted', () => {
  const admit = createSignInLimits('sign-ins', { arePins: false })(from('192.0.2.1'))
  const admissions = times(60, () => admit(null)!)
  expect(admit(null)!.slots).toBe('overLimit')
  admissions[0]!.uncount()
  expect(admit(null)!.slots).toBe('ordinary')
  // An attempt over the limit doesn't count.
  for (const { uncount } of admissions) uncount()
  expect(times(60, () => admit(null)!.slots)).toEqual(Array(60).fill('ordinary'))
})

it('one address does not use up the global limit on PIN failures', () => {
  const limits = createSignInLimits('sign-ins', { arePins: true })
  const admitted = times(1000, () => limits(from('192.0.2.1'))(null)).filter(
    (admission) => admission !== null,
  )
  expect(admitted).toHaveLength(60 + PINS_OVER_LIMIT_PER_MINUTE)
  expect(limits(from('198.51.100.1'))(null)!.slots).toBe('ordinary')
})

it('all wallets together have a limit of failures a minute, from which known devices are exempt', () => {
  const limits = createSignInLimits('sign-ins', { arePins: true })
  const totalLimit = PINS_PER_MINUTE + PINS_OF_FRESH_NETWORKS_PER_MINUTE
  const strangers = times(totalLimit + 5, (n) => limits(from(`10.${n >> 8}.${n & 255}.1`))(null))
  expect(strangers.filter((admission) => admission !== null)).toHaveLength(totalLimit)
  const known = limits(from('10.0.1.1'))('wallet:+15550100001 2026-11-16')
  expect(known!.slots).toBe('known')
  strangers[0]!.uncount()
  expect(limits(from('10.200.1.1'))(null)!.slots).toBe('ordinary')
})

it('a few addresses that use up the limit do not block networks without failures', () => {
  const limits = createSignInLimits('sign-ins', { arePins: true })
  const attackers = ['192.0.2.1', '192.0.2.2', '198.51.100.1', '198.51.100.2']
  const admitted = times(1000, (n) => limits(from(attackers[n % 4]!))(null))
  expect(admitted.filter((admission) => admission?.slots === 'ordinary')).toHaveLength(
    PINS_PER_MINUTE,
  )
  expect(limits(from('203.0.113.1'))(null)!.slots).toBe('ordinary')
})

it('a known device has its own limit of 60 failures a minute', () => {
  const admit = createSignInLimits('sign-ins', { arePins: true })(from('192.0.2.1'))
  const slots = times(62, () => admit('device')!.slots)
  expect(slots).toEqual([...Array(60).fill('known'), ...Array(2).fill('overLimit')])
  expect(admit('another')!.slots).toBe('known')
})

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.7', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8::1', '2001:db8:0::/48'],
  ['203.0.113.7:51514', '203.0.113.0/24'],
  ['unknown', '192.0.2.0/24'],
])('%s is in %s', (ip, network) => {
  const request = { ip, socket: { remoteAddress: '192.0.2.1' } } as FastifyRequest
  expect(clientWiderNetworkOf(request)).toBe(network)
})
