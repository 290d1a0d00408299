import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm, root } from './prepare.mjs'

/** From which severity on an advisory counts: lower for what runs with the service than for what only builds and tests. */
const SEVERITIES = { run: ['moderate', 'high', 'critical'], build: ['high', 'critical'] }

/**
 * Asks the registry for published vulnerabilities in the dependencies and prints them. Only a finding fails, and only in
 * CI (`CI` is set): an advisory that was published yesterday must not keep anybody from running the tests.
 */
export function passesAdvisories(env = process.env) {
  const limits = ['--fetch-retries=0', '--fetch-timeout=15000']
  const report = parsed(npm(['audit', '--json', '--loglevel=silent', ...limits]).stdout)
  if (report?.vulnerabilities === undefined) {
    console.log(
      `  NOT CHECKED: the advisories could not be fetched (${report?.message ?? 'no answer'}).`,
    )
    return true
  }
  const locked = parsed(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const vulnerabilities = Object.values(report.vulnerabilities).filter(({ severity, nodes }) => {
    const isRun = nodes.some((path) => !locked[path]?.dev)
    return SEVERITIES[isRun ? 'run' : 'build'].includes(severity)
  })
  for (const { name, severity, range } of vulnerabilities) {
    console.log(`  VULNERABLE: ${name} ${range} (${severity}). See npm audit.`)
  }
  if (vulnerabilities.length === 0) console.log('  No relevant vulnerabilities.')
  return vulnerabilities.length === 0 || !env.CI
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
