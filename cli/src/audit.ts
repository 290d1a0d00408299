import { parseHead } from '@florin/server/core/auditChain.js'
import { CHAIN_CHECK, verifyAuditChain } from '@florin/server/ops/auditChain.js'
import { auditLedger } from '@florin/server/ops/auditLedger.js'
import { Refused } from './failure.ts'
import { withService } from './local.ts'
import { print, progress } from './print.ts'

/** Audits the ledger and the audit log, and returns the exit code. `head`: a head that was noted earlier. */
export async function audit({ json, head }: { json: boolean; head?: string }): Promise<number> {
  const noted = head === undefined ? null : parseHead(head)
  if (head !== undefined && noted === null) {
    throw new Refused('--head must be the position and the hash that an earlier audit printed.')
  }
  const startedMs = Date.now()
  const result = await withService(async ({ service: { database, secretKey } }) => {
    const onCheck = (name: string) => progress(`Checking: ${name}…`)
    const { totals, checks } = await auditLedger(database, { onCheck })
    onCheck(CHAIN_CHECK)
    const chain = await verifyAuditChain(database, secretKey, { noted })
    const all = [...checks, { name: CHAIN_CHECK, findings: chain.findings }]
    return { totals, checks: all, chain }
  })
  progress('')
  const findings = result.checks.flatMap((check) => check.findings)
  const totals = Object.fromEntries(
    Object.entries(result.totals).map(([name, count]) => [name, Number(count)]),
  )
  if (json) {
    const { checks } = result
    const auditLog = {
      sealed: Number(result.chain.sealed),
      unsealed: Number(result.chain.unsealed),
      head: result.chain.head,
    }
    const report = { clean: findings.length === 0, totals, audit_log: auditLog, checks }
    print(report, { json, columns: null })
    return findings.length === 0 ? 0 : 1
  }
  const lines = result.checks.map(({ name, findings: found }) => {
    const wrong = found.map((f) => `      ${f.subject}: expected ${f.expected}, found ${f.found}`)
    return [`${found.length === 0 ? '  ok    ' : '  WRONG '}${name}`, ...wrong].join('\n')
  })
  const seconds = ((Date.now() - startedMs) / 1000).toFixed(1)
  const { payments, transfers, walletTransfers } = result.totals
  const summary = `Checked in ${seconds} s: ${payments} payments, ${transfers} store transfers, ${walletTransfers} wallet transfers.`
  const { sealed, unsealed, head: newest, findings: tampered } = result.chain
  const ledgerErrors = findings.length - tampered.length
  const report = [
    ...lines,
    '',
    ledgerErrors === 0
      ? `The ledger has no errors. ${summary}`
      : `The ledger has errors: ${ledgerErrors}. ${summary}`,
    tampered.length === 0
      ? `The audit log is complete and unchanged: ${sealed} entries are sealed, ${unsealed} are not sealed yet.`
      : `The audit log was tampered with. The first entry is ${tampered[0]!.subject}: ${tampered[0]!.found}.`,
  ]
  if (newest !== null) report.push(`Note the head of the audit log elsewhere: ${newest}`)
  process.stdout.write(`${report.join('\n')}\n`)
  return findings.length === 0 ? 0 : 1
}
