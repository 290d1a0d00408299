// Processes that share a port count together: each tells the others what its throttles have counted.

export type Counts = readonly (readonly [throttle: string, key: string, drops: number])[]

const TELL_INTERVAL_MS = 100

const throttles = new Map<string, (key: string, drops: number) => void>()
const untold = new Map<string, Map<string, number>>()
let send: ((counts: Counts) => void) | null = null

/** Call once in a process that has siblings. */
export function connectSiblings(sendCounts: (counts: Counts) => void): void {
  send = sendCounts
}

/** Calls `add` with the counts of the siblings' throttle of the same name. */
export function onSiblingCounts(throttle: string, add: (key: string, drops: number) => void): void {
  throttles.set(throttle, add)
}

export function receiveCounts(counts: Counts): void {
  for (const [throttle, key, drops] of counts) throttles.get(throttle)?.(key, drops)
}

export function tellSiblings(throttle: string, key: string, drops: number): void {
  if (send === null) return
  if (untold.size === 0) setTimeout(sendUntold, TELL_INTERVAL_MS).unref()
  const keys = untold.get(throttle) ?? new Map<string, number>()
  untold.set(throttle, keys.set(key, (keys.get(key) ?? 0) + drops))
}

function sendUntold(): void {
  const counts = [...untold].flatMap(([throttle, keys]) =>
    [...keys].map(([key, drops]) => [throttle, key, drops] as const),
  )
  untold.clear()
  send?.(counts.filter(([, , drops]) => drops !== 0))
}
