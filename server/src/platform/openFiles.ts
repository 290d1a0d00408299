import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Reserved for the database, webhooks, files and connections between processes. */
const RESERVED_FILES = 256
const RECOMMENDED_FILES = 4096
const MAX_HELD_REQUESTS = 20_000

/** The limit of open files of this process. Node.js has raised the soft limit to the hard one. */
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

/** Derives the limits of connections from the limit of open files. Each connection uses a file descriptor. */
export function connectionLimits(fileLimit: number) {
  const maxConnections = Math.max(RESERVED_FILES, fileLimit - RESERVED_FILES)
  return {
    isLow: fileLimit < RECOMMENDED_FILES,
    maxConnections,
    /** Requests that are held open must leave connections for the others. */
    maxHeld: Math.min(MAX_HELD_REQUESTS, Math.floor(maxConnections * 0.75)),
  }
}
