import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, root } from './prepare.mjs'

/** What runs where the money is may have no hole that matters; what only builds and tests, no grave one. */
const TOO_BAD = { run: ['moderate', 'high', 'critical'], build: ['high', 'critical'] }

/** Asks the registry for known holes in the dependencies: false where there are, true where it does not say. */
export function hasNoHoles() {
  // Whoever is offline is told so at once.
  const patience = ['--fetch-retries=0', '--fetch-timeout=15000']
  const report = parsed(npm(['audit', '--json', '--loglevel=silent', ...patience]).stdout)
  if (report?.vulnerabilities === undefined) {
    console.log(`  The registry does not say: ${report?.message ?? 'no answer'}`)
    return true
  }
  const locked = parsed(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const holes = Object.values(report.vulnerabilities).filter(({ severity, nodes }) => {
    const isRun = nodes.some((path) => !locked[path]?.dev)
    return TOO_BAD[isRun ? 'run' : 'build'].includes(severity)
  })
  for (const { name, severity, range } of holes) {
    console.log(`  ${name} ${range} has a known hole (${severity}); see npm audit`)
  }
  return holes.length === 0
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
