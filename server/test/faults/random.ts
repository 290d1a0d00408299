import { createHash } from 'node:crypto'

export type Random = ReturnType<typeof randomOf>

/**
 * Numbers that are the same for the same seed. Whoever draws at the same time as others takes a `part` of
 * his own, so that his numbers do not depend on who was faster.
 */
export function randomOf(seed: string) {
  let state = createHash('sha256').update(seed).digest().readUInt32LE()
  /** Mulberry32: from 0 to below 1. */
  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  return {
    seed,
    chance: (probability: number) => next() < probability,
    /** Whole, both ends included. */
    between: (min: number, max: number) => min + Math.floor(next() * (max - min + 1)),
    pick: <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)]!,
    part: (name: string) => randomOf(`${seed}/${name}`),
  }
}

/** The seed that was given to the run or drawn for it; the same in every file of it. */
export function seedOfRun(): string {
  const seed = process.env.FLORIN_SEED
  if (seed === undefined) throw new Error('FLORIN_SEED is set by the configuration of the run')
  return seed
}
