// Processes that share a port count together: each sends the counts of its throttles to the others.

export type Counts = readonly (readonly [throttle: string, key: string, count: number])[]

const SEND_INTERVAL_MS = 100

const throttles = new Map<string, (key: string, count: number) => void>()
const pendingCounts = new Map<string, Map<string, number>>()
let send: ((counts: Counts) => void) | null = null

/** Call once in a process that has siblings. */
export function connectSiblings(sendCounts: (counts: Counts) => void): void {
  send = sendCounts
}

/** Calls `add` with the counts of the siblings' throttle of the same name. */
export function onSiblingCounts(throttle: string, add: (key: string, count: number) => void): void {
  throttles.set(throttle, add)
}

export function receiveCounts(counts: Counts): void {
  for (const [throttle, key, count] of counts) throttles.get(throttle)?.(key, count)
}

export function sendToSiblings(throttle: string, key: string, count: number): void {
  if (send === null) return
  if (pendingCounts.size === 0) setTimeout(sendPending, SEND_INTERVAL_MS).unref()
  const keys = pendingCounts.get(throttle) ?? new Map<string, number>()
  pendingCounts.set(throttle, keys.set(key, (keys.get(key) ?? 0) + count))
}

function sendPending(): void {
  const counts = [...pendingCounts].flatMap(([throttle, keys]) =>
    [...keys].map(([key, count]) => [throttle, key, count] as const),
  )
  pendingCounts.clear()
  send?.(counts.filter(([, , count]) => count !== 0))
}
