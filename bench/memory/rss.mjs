import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '../lib/figures.mjs'

const SETTLE_MS = 1_000
const READINGS = 7
const READING_INTERVAL_MS = 100

/** Resident bytes of an idle process: the median of several readings. */
export async function idleRss(pid) {
  await sleep(SETTLE_MS)
  const readings = []
  for (let n = 0; n < READINGS; n++) {
    readings.push(rssOf(pid))
    await sleep(READING_INTERVAL_MS)
  }
  return median(readings)
}

function rssOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)[1]) * 1024
}
