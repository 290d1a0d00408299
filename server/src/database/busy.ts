import { performance } from 'node:perf_hooks'

const LOOK_EVERY_MS = 20
const BUSY = 0.8

let lookedMs = performance.now()
let looked = performance.eventLoopUtilization()
let busy = false

/** Whether this process has had hardly a moment of rest lately. */
export function isBusy(): boolean {
  const nowMs = performance.now()
  if (nowMs - lookedMs < LOOK_EVERY_MS) return busy
  const now = performance.eventLoopUtilization()
  busy = performance.eventLoopUtilization(now, looked).utilization >= BUSY
  looked = now
  lookedMs = nowMs
  return busy
}
