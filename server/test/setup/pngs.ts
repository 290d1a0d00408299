import { PNG } from 'pngjs'
import { vi } from 'vitest'

/** Counts the PNGs that are drawn at the same time. Returns a function that reads the highest count so far. */
export function watchPngs(): () => number {
  let running = 0
  let maxRunning = 0
  const { pack } = PNG.prototype
  vi.spyOn(PNG.prototype, 'pack').mockImplementation(function (this: PNG) {
    maxRunning = Math.max(maxRunning, ++running)
    this.on('end', () => running--)
    return pack.call(this)
  })
  return () => maxRunning
}
