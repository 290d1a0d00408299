import { readFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'

export type Machine = { readonly cores: number; readonly memoryBytes: number }

/** What this process may use. A container may have less than its machine. */
export const thisMachine = (): Machine => ({
  cores: Math.min(availableParallelism(), containerCores()),
  memoryBytes: Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY),
})

/** The limit of the container (cgroup v2), in whole cores. */
function containerCores(): number {
  try {
    const [quota, period] = readFileSync('/sys/fs/cgroup/cpu.max', 'utf8').split(' ').map(Number)
    return quota! > 0 && period! > 0
      ? Math.max(1, Math.floor(quota! / period!))
      : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/** Each process has three or more connections to the database, and PostgreSQL allows 100 by default. */
const MAX_DEFAULT_PROCESSES = 24
/** A process uses up to 250 MB under load. The database and the system need the rest. */
const MEMORY_PER_PROCESS_BYTES = 512 * 1024 ** 2

/** One process per core, if there is enough memory. The embedded database gets a core of its own. */
export function defaultProcesses({ cores, memoryBytes }: Machine, isEmbedded: boolean): number {
  const freeCores = isEmbedded ? cores - 1 : cores
  const maxByMemory = Math.floor(memoryBytes / MEMORY_PER_PROCESS_BYTES)
  return Math.max(1, Math.min(MAX_DEFAULT_PROCESSES, freeCores, maxByMemory))
}
