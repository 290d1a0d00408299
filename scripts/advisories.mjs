import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, root } from './prepare.mjs'

/** Severities that count, for runtime and development dependencies. */
const SEVERITIES = {
  runtime: ['moderate', 'high', 'critical'],
  development: ['high', 'critical'],
}

/**
 * Prints published vulnerabilities of the dependencies. They fail the tests only in CI (`CI` is set), so that a new
 * advisory does not block local test runs.
 */
export function passesAdvisories() {
  const limits = ['--fetch-retries=0', '--fetch-timeout=15000']
  const report = parseJson(npm(['audit', '--json', '--loglevel=silent', ...limits]).stdout)
  if (report?.vulnerabilities === undefined) {
    console.log(
      `  NOT CHECKED: the advisories could not be fetched (${report?.message ?? 'no response'}).`,
    )
    return true
  }
  const locked = parseJson(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const vulnerabilities = Object.values(report.vulnerabilities).filter(({ severity, nodes }) => {
    const isRuntime = nodes.some((path) => !locked[path]?.dev)
    return SEVERITIES[isRuntime ? 'runtime' : 'development'].includes(severity)
  })
  for (const { name, severity, range } of vulnerabilities) {
    console.log(`  VULNERABLE: ${name} ${range} (${severity}). See npm audit.`)
  }
  if (vulnerabilities.length === 0) console.log('  No relevant vulnerabilities.')
  return vulnerabilities.length === 0 || !process.env.CI
}

function parseJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
