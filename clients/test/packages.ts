import { existsSync } from 'node:fs'
import { dirname } from 'node:path'

/** Debian's setuptools and wheel. */
const WHEELS = '/usr/share/python-wheels'

/** Settings with which pip builds from local files only, where Debian has them. */
export function offlinePip(): Record<string, string> {
  if (!existsSync(WHEELS)) return {}
  return {
    PIP_NO_INDEX: '1',
    PIP_FIND_LINKS: WHEELS,
    // Debian's setuptools works only with Debian's Python. Keep this version of Node.js before another one there.
    PATH: `${dirname(process.execPath)}:/usr/bin:${process.env.PATH}`,
  }
}
