import type { FastifyRequest } from 'fastify'
import type { Admission, Admit } from '../../../ops/signIns.ts'
import {
  clientNetworkOf,
  clientWiderNetworkOf,
  createThrottle,
  type Throttle,
} from '../http/throttle.ts'

const ADDRESS_FAILURES_PER_MINUTE = 60
/** For a /48 or a /24, so that a subscriber with many addresses can't bypass the limit above. */
const NETWORK_FAILURES_PER_MINUTE = 120
const DEVICE_FAILURES_PER_MINUTE = 60

/** For all wallets together, by unknown devices; docs/security.md has the arithmetic. */
export const PINS_PER_MINUTE = 240
/** Separate, so that an address over its limit can't use up the limit above. */
export const PINS_OVER_LIMIT_PER_MINUTE = 60
/** For networks without a recent failure, so that a few addresses can't use up the limit of all others. */
export const PINS_OF_FRESH_NETWORKS_PER_MINUTE = 60

type ThrottleKey = { readonly throttle: Throttle; readonly key: string }

/**
 * Limits failed sign-ins per minute. An attempt counts as a failure until it succeeds, so concurrent attempts can't exceed the
 * limit. Over the limit of its address, it is still verified, with fewer slots: a valid password or PIN must work despite failures
 * of others. PINs from unknown devices and activation codes are refused above the limits for all wallets together.
 */
export function createSignInLimits(name: string, { arePins }: { arePins: boolean }) {
  const addresses = createThrottle(`${name} by address`, ADDRESS_FAILURES_PER_MINUTE)
  const networks = createThrottle(`${name} by network`, NETWORK_FAILURES_PER_MINUTE)
  const devices = createThrottle(`${name} by device`, DEVICE_FAILURES_PER_MINUTE)
  const all = createThrottle(`${name} in total`, PINS_PER_MINUTE)
  const allOverLimit = createThrottle(`${name} over the limit`, PINS_OVER_LIMIT_PER_MINUTE)
  const allFresh = createThrottle(`${name} of fresh networks`, PINS_OF_FRESH_NETWORKS_PER_MINUTE)

  function countAttempt(keys: readonly ThrottleKey[], slots: Admission['slots']) {
    const counted = keys.filter(({ throttle, key }) => throttle.take(key))
    const uncount = () => {
      for (const { throttle, key } of counted) throttle.add(key, -1)
    }
    const isOver = counted.length < keys.length
    return { slots: isOver ? ('overLimit' as const) : slots, uncount }
  }

  function admitUnknownDevice(request: FastifyRequest): Admission | null {
    const network = clientWiderNetworkOf(request)
    const isFresh = networks.isEmpty(network)
    const keys = [
      { throttle: addresses, key: clientNetworkOf(request) },
      { throttle: networks, key: network },
    ]
    const admitted = countAttempt(keys, 'ordinary')
    if (!arePins) return admitted
    const limits =
      admitted.slots === 'overLimit' ? [allOverLimit] : isFresh ? [all, allFresh] : [all]
    const limit = limits.find((total) => total.take('all'))
    if (limit === undefined) {
      admitted.uncount()
      return null
    }
    const uncount = () => {
      admitted.uncount()
      limit.add('all', -1)
    }
    return { slots: admitted.slots, uncount }
  }

  return (request: FastifyRequest): Admit =>
    (device) =>
      device === null
        ? admitUnknownDevice(request)
        : countAttempt([{ throttle: devices, key: device }], 'known')
}
