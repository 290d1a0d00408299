import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Waits for more than a millisecond, so that the next id sorts after all earlier ones: ids sort by creation time, but in
 * random order within one millisecond.
 */
export async function nextMillisecond(): Promise<void> {
  const startedMs = performance.now()
  while (performance.now() - startedMs <= 1) await sleep(1)
}
