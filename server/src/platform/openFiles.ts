import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** The database, webhooks, files and the connections of other processes need some as well. */
const RESERVED_FILES = 256
const ENOUGH_FILES = 4096
const MAX_HELD = 20_000

/** How many files this process may have open; Node.js has raised the soft limit to the hard one. */
export function readFileLimit(): number {
  const soft = readLimit()
  return /^\d+$/.test(soft) ? Number(soft) : Number.POSITIVE_INFINITY
}

function readLimit(): string {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8')
    return /^Max open files {1,30}(\w{1,20})/m.exec(limits)?.[1] ?? ''
  } catch {
    // Only Linux has that file.
    return String(spawnSync('sh', ['-c', 'ulimit -n']).stdout ?? '').trim()
  }
}

/** What a limit of open files leaves room for. A connection takes a file. */
export function connectionLimits(fileLimit: number) {
  const connections = Math.max(RESERVED_FILES, fileLimit - RESERVED_FILES)
  return {
    isLow: fileLimit < ENOUGH_FILES,
    connections,
    /** Not all of them, so that requests that are held open leave room for the others. */
    held: Math.min(MAX_HELD, Math.floor(connections * 0.75)),
  }
}
