import { npm } from './prepare.mjs'

/** What runs where the money is may have no hole that matters at all; what only builds and tests, none that is grave. */
const RULES = [
  {
    what: 'what the service runs on',
    omit: ['--omit=dev'],
    levels: ['moderate', 'high', 'critical'],
  },
  { what: 'what builds and tests it', omit: [], levels: ['high', 'critical'] },
]
const PATIENCE = ['--fetch-retries=0', '--fetch-timeout=15000']

/** Asks the registry for known holes in the dependencies. False where there are some; true where it does not answer. */
export function hasNoHoles() {
  for (const { what, omit, levels } of RULES) {
    const { stdout } = npm(['audit', '--json', '--loglevel=silent', ...PATIENCE, ...omit])
    const report = parsed(stdout)
    if (report?.vulnerabilities === undefined) {
      console.log(`  The registry does not say: ${report?.message ?? 'no answer'}`)
      return true
    }
    const holes = Object.values(report.vulnerabilities).filter((one) =>
      levels.includes(one.severity),
    )
    for (const { name, severity, range } of holes) {
      console.error(`  ${name} ${range} has a known hole (${severity}), in ${what}. See: npm audit`)
    }
    if (holes.length > 0) return false
  }
  return true
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
