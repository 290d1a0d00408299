import { auditLedger } from '@florin/server/ops/auditLedger.js'
import { withService } from './local.ts'
import { print, progress } from './print.ts'

/** Audits the ledger and returns the exit code. */
export async function audit({ json }: { json: boolean }): Promise<number> {
  const startedMs = Date.now()
  const result = await withService(({ service }) =>
    auditLedger(service.database, { onCheck: (name) => progress(`Checking: ${name}…`) }),
  )
  progress('')
  const findings = result.checks.flatMap((check) => check.findings)
  const totals = Object.fromEntries(
    Object.entries(result.totals).map(([name, count]) => [name, Number(count)]),
  )
  if (json) {
    const { checks } = result
    print({ clean: findings.length === 0, totals, checks }, { json, columns: null })
    return findings.length === 0 ? 0 : 1
  }
  const lines = result.checks.map(({ name, findings: found }) => {
    const wrong = found.map((f) => `      ${f.subject}: expected ${f.expected}, found ${f.found}`)
    return [`${found.length === 0 ? '  ok    ' : '  WRONG '}${name}`, ...wrong].join('\n')
  })
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1)
  const { payments, transfers, walletTransfers } = result.totals
  const summary = `Checked in ${seconds} s: ${payments} payments, ${transfers} store transfers, ${walletTransfers} wallet transfers.`
  const verdict =
    findings.length === 0
      ? `The ledger has no errors. ${summary}`
      : `The ledger has errors: ${findings.length}. ${summary}`
  process.stdout.write(`${lines.join('\n')}\n\n${verdict}\n`)
  return findings.length === 0 ? 0 : 1
}
