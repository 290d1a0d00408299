import { escapeControls, print, printLine, showProgress } from '../print.ts'
import { checkBackups } from './backups.ts'
import { checkDatabase } from './database.ts'
import { checkDataFolder } from './dataFolder.ts'
import type { Finding } from './finding.ts'
import { checkMail } from './mail.ts'
import { checkPort, checkPublicUrl, checkWebhook, findAddress } from './network.ts'
import { checkSettings } from './settings.ts'

const MARKS = { ok: 'ok     ', note: 'note   ', warning: 'warning', problem: 'PROBLEM' }

/** Runs all checks, prints the findings and returns the exit code. */
export async function doctor({
  webhookUrl,
  json = false,
}: {
  webhookUrl?: string
  json?: boolean
}): Promise<number> {
  const findings: Finding[] = []
  for await (const finding of runChecks(webhookUrl)) {
    findings.push(finding)
    showProgress('')
    if (!json) printLine(lineOf(finding))
    showProgress('Checking…')
  }
  showProgress('')
  const count = (state: Finding['state']) =>
    findings.filter((finding) => finding.state === state).length
  const [warnings, problems] = [count('warning'), count('problem')]
  if (json) print({ healthy: problems === 0, findings }, { json, columns: null })
  else if (problems === 0) {
    printLine(warnings === 0 ? '\nNo problems found.' : `\nNo problems. Warnings: ${warnings}.`)
  } else printLine(`\nProblems: ${problems}. Warnings: ${warnings}.`)
  return problems === 0 ? 0 : 1
}

async function* runChecks(webhookUrl: string | undefined): AsyncGenerator<Finding> {
  const { config, findings } = checkSettings(process.env)
  yield* findings
  if (config === null) return
  yield* await checkDataFolder(config)
  if (config.databaseUrl === null) yield* await checkBackups(config)
  yield* await checkDatabase(config)
  yield await checkMail(config)
  const address = await findAddress(config)
  const { finding, isRunning } = await checkPort(address)
  yield finding
  yield await checkPublicUrl(address, { isRunning })
  if (webhookUrl !== undefined) yield await checkWebhook(webhookUrl, config)
}

function lineOf(finding: Finding): string {
  // A message can quote the response of a server, which is untrusted.
  const line = `${MARKS[finding.state]}  ${finding.check}: ${escapeControls(finding.message)}`
  return finding.state === 'ok' ? line : `${line}\n         ${finding.fix}`
}
