import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }))

/** CPU seconds used by a process. */
export const cpuOf = (pid) => statOf(pid).own

/** CPU seconds used by a PostgreSQL server and its children, including children that have ended. */
export function cpuOfPostgres(postmaster) {
  let total = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = statOf(entry)
    if (stat === null) continue
    if (Number(entry) === postmaster) total += stat.own + stat.ended
    else if (stat.parent === postmaster) total += stat.own
  }
  return total
}

export const postmasterOf = (folder) =>
  Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])

function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may contain spaces and parentheses; the fields after it don't.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number)
    return {
      parent: Number(fields[1]),
      own: (user + system) / TICKS_PER_SECOND,
      ended: (endedUser + endedSystem) / TICKS_PER_SECOND,
    }
  } catch {
    return null
  }
}
