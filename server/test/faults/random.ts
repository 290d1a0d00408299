import { createHash } from 'node:crypto'

export type Random = ReturnType<typeof randomOf>

/**
 * Random numbers that are the same for the same seed. Concurrent users take a `part` of
 * their own, so that their numbers don't depend on timing.
 */
export function randomOf(seed: string) {
  let state = createHash('sha256').update(seed).digest().readUInt32LE()
  /** Mulberry32: at least 0 and below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    seed,
    chance: (probability: number) => next() < probability,
    /** An integer between both bounds, inclusive. */
    between: (min: number, max: number) => min + Math.floor(next() * (max - min + 1)),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!,
    part: (name: string) => randomOf(`${seed}/${name}`),
  }
}

/** The seed of the run, given or random. It is the same in all files of a run. */
export function seedOfRun(): string {
  const seed = process.env.FLORIN_SEED
  if (seed === undefined) throw new Error('FLORIN_SEED is not set. Run npm run test:faults.')
  return seed
}
