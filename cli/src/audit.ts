import { constants } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseHead } from '@florin/server/core/auditChain.js'
import { checkFiles, FILE_CHECK } from '@florin/server/ops/archiveChecks.js'
import { CHAIN_CHECK, type ChainAudit, verifyAuditChain } from '@florin/server/ops/auditChain.js'
import { type AuditScope, auditLedger, type LedgerAudit } from '@florin/server/ops/auditLedger.js'
import { runCommandLineAudit, sealView } from '@florin/server/ops/ledgerAudits.js'
import { checkFolder } from './archive.ts'
import { createAuditProgress } from './auditProgress.ts'
import { UsageError } from './failure.ts'
import { commandLineName, reasonOf, withService } from './local.ts'
import { escapeControls, print, printLine } from './print.ts'

/** `head`: a head of the audit log that was noted earlier. `archives`: the folder with the files of archived months. */
type Options = { json: boolean; scope: AuditScope; head?: string; archives?: string }

/** Audits the ledger and the audit log, and returns the exit code. */
export async function audit({ json, head, scope, archives }: Options): Promise<number> {
  const noted = head === undefined ? null : parseHead(head)
  if (head !== undefined && noted === null) {
    throw new UsageError('--head must be the position and the hash that an earlier audit printed.')
  }
  if (archives !== undefined) await checkFolder(archives, constants.R_OK)
  const startedMs = Date.now()
  const { ledger, chain, checks } = await withService(
    async ({ service: { database, secretKey } }) => {
      const { onCheck, onProgress, end } = createAuditProgress()
      const onUnrecorded = (error: unknown) =>
        process.stderr.write(
          `${escapeControls(`The operator console does not show the result of this audit: ${reasonOf(error)}`)}\n`,
        )
      const started = { startedBy: commandLineName(), isFull: scope !== 'new', onUnrecorded }
      try {
        return await runCommandLineAudit(database, started, async (recordProgress) => {
          const ledger = await auditLedger(database, {
            onCheck,
            onProgress: (done, total) => {
              onProgress(done, total)
              recordProgress(done, total)
            },
            // One connection of the pool stays free for the progress.
            connections: Math.min(availableParallelism(), database.pool.options.max - 1),
            seals: { secretKey, scope },
          })
          const files =
            archives === undefined ? null : await checkFiles(database, archives, onCheck)
          onCheck(CHAIN_CHECK)
          const chain = await verifyAuditChain(database, secretKey, { noted })
          const checks = [
            ...ledger.checks,
            ...(files === null ? [] : [{ name: FILE_CHECK, findings: files }]),
            { name: CHAIN_CHECK, findings: chain.findings },
          ]
          return { ledger, chain, checks, findings: checks.flatMap(({ findings }) => findings) }
        })
      } finally {
        end()
      }
    },
  )
  const isClean = checks.every(({ findings }) => findings.length === 0)
  if (json) print(jsonReport({ ledger, chain, checks, isClean, scope }), { json, columns: null })
  else {
    const seconds = ((Date.now() - startedMs) / 1000).toFixed(1)
    printLine(textReport({ ledger, chain, checks, scope, seconds }))
  }
  return isClean ? 0 : 1
}

type Report = {
  ledger: LedgerAudit
  chain: ChainAudit
  checks: LedgerAudit['checks']
  scope: AuditScope
}

function jsonReport({ ledger, chain, checks, isClean, scope }: Report & { isClean: boolean }) {
  const totals = Object.fromEntries(
    Object.entries(ledger.totals).map(([name, count]) => [name, Number(count)]),
  )
  const auditLog = {
    sealed: Number(chain.sealed),
    unsealed: Number(chain.unsealed),
    head: chain.head,
  }
  return {
    clean: isClean,
    full: scope !== 'new',
    totals,
    seals: ledger.seals && sealView(ledger.seals),
    audit_log: auditLog,
    checks,
  }
}

function textReport({ ledger, chain, checks, scope, seconds }: Report & { seconds: string }) {
  const lines = checks.map(({ name, findings: found }) => {
    const wrong = found.map(
      (finding) => `      ${finding.subject}: expected ${finding.expected}, found ${finding.found}`,
    )
    return [`${found.length === 0 ? '  ok    ' : '  WRONG '}${name}`, ...wrong].join('\n')
  })
  const { payments, transfers, walletTransfers } = ledger.totals
  const summary = `Checked in ${seconds} s: ${payments} payments, ${transfers} store transfers, ${walletTransfers} wallet transfers.`
  const { sealed, unsealed, head, findings: tampered } = chain
  const errors = checks
    .filter(({ name }) => name !== CHAIN_CHECK)
    .flatMap(({ findings }) => findings).length
  const report = [
    ...lines,
    '',
    errors === 0
      ? `The ledger has no errors. ${summary}`
      : `The ledger has errors: ${errors}. ${summary}`,
    ...sealLines(ledger, scope),
    tampered.length === 0
      ? `The audit log is complete and unchanged: ${sealed} entries are sealed, ${unsealed} are not sealed yet.`
      : `The audit log was tampered with. The first finding is ${tampered[0]!.subject}: ${tampered[0]!.found}.`,
  ]
  if (head !== null) report.push(`Note the head of the audit log elsewhere: ${head}`)
  return report.join('\n')
}

function sealLines({ checks, seals }: LedgerAudit, scope: AuditScope): string[] {
  // Broken files of archived months don't prevent sealing, so they don't count here.
  const isClean = checks.every(({ findings }) => findings.length === 0)
  const { until, days, checked_again, new_days, chance, chance_in_30 } = sealView(seals!)
  const percent = (share: number) => `${(share * 100).toFixed(1)}%`
  const lines = []
  if (days > 0 && scope === 'new') {
    lines.push(
      `Earlier audits have sealed ${formatDays(days)}. ${checked_again} of them were checked again, so a change inside one of ` +
        `them is found with a probability of ${percent(chance!)}, and of ${percent(chance_in_30!)} within 30 audits.`,
      isClean
        ? 'Check all days from time to time: npx florin audit --full'
        : 'Nothing was sealed. Find the rows: npx florin audit --full',
    )
  }
  if (days > 0 && scope === 'all') lines.push(`All sealed days were checked again: ${days}.`)
  if (new_days > 0) {
    const sealed = formatDays(new_days, days > 0 ? 'more ' : '')
    lines.push(`Sealed ${sealed}, until ${until} 00:00 UTC.`)
  }
  return lines
}

const formatDays = (days: number, qualifier = '') =>
  `${days} ${qualifier}${days === 1 ? 'day' : 'days'}`
