const MAX_PER_NETWORK = {
  /** A checkout page needs no credentials. Enough for a shop full of customers behind one address. */
  stream: 200,
  /** Needs credentials. Enough for a shop's server that waits for many payments. */
  poll: 5_000,
}
type Kind = keyof typeof MAX_PER_NETWORK

const MAX_PER_SUBJECT = 100

/** Share of the total for one network, and for the polls of one store. */
export const MAX_CLIENT_SHARE = 0.5

/** Share of the total. Most streams need no credentials, so they must leave room for polls. */
export const MAX_SHARE = { stream: 0.75, poll: 1 }

/**
 * Limits the requests that are held open until a payment, store or wallet changes: event streams and long polls.
 * Each takes a connection, and one client must not take them all. A network is an IPv4 address, or the /64 of an IPv6 address.
 */
export function createHeldRequests(maxTotal: number) {
  const held = new Map<string, number>()
  let total = 0

  function add(key: string, change: 1 | -1): void {
    const count = (held.get(key) ?? 0) + change
    if (count === 0) held.delete(key)
    else held.set(key, count)
  }

  return {
    /** Returns a function that releases the slot, or null if no slot is free. `owner` is the store whose API key or person polls. */
    take(
      kind: Kind,
      network: string,
      subject: string,
      owner: `store ${number}` | null = null,
    ): (() => void) | null {
      const maxPerClient = Math.max(1, Math.floor(maxTotal * MAX_CLIENT_SHARE))
      const limits = new Map([
        [`${kind} ${network}`, Math.min(MAX_PER_NETWORK[kind], maxPerClient)],
        [`${kind} ${subject}`, MAX_PER_SUBJECT],
        ...(owner === null ? [] : ([[`${kind} of ${owner}`, maxPerClient]] as const)),
      ])
      const isFull =
        total >= maxTotal * MAX_SHARE[kind] ||
        [...limits].some(([key, max]) => (held.get(key) ?? 0) >= max)
      if (isFull) return null
      total += 1
      const keys = [...limits.keys()]
      for (const key of keys) add(key, 1)
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        total -= 1
        for (const key of keys) add(key, -1)
      }
    },
  }
}
